package loadstone.users;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of users, with their vehicles. Each method is one statement. */
@Repository
class Users {

    private static final String WITH_VEHICLES =
            "SELECT u.id, u.first_name, u.last_name, u.email, u.nif, u.coins, u.role,"
                    + " u.payment_method, u.status, v.plate, v.type, v.energy"
                    + " FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id";

    private final JdbcClient jdbc;

    Users(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Gives the id. */
    long insert(NewUser body, String passwordHash) {
        return jdbc.sql(
                        """
                        INSERT INTO app_user
                          (first_name, last_name, email, password_hash, nif, role, payment_method,
                           status)
                        VALUES (:firstName, :lastName, :email, :passwordHash, :nif, 1,
                          :paymentMethod, 0) RETURNING id
                        """)
                .param("firstName", body.firstName())
                .param("lastName", body.lastName())
                .param("email", body.email())
                .param("passwordHash", passwordHash)
                .param("nif", body.nif())
                .param("paymentMethod", body.paymentMethod().ordinal())
                .query(Long.class)
                .single();
    }

    Optional<Account> account(String email) {
        return jdbc.sql(
                        """
                        SELECT id, first_name, last_name, password_hash, role, status FROM app_user
                        WHERE lower(email) = lower(:email)
                        """)
                .param("email", email)
                .query(Rows::account)
                .optional();
    }

    List<User> list() {
        return jdbc.sql(WITH_VEHICLES + " ORDER BY u.id, v.plate").query(Rows.USERS);
    }

    Optional<User> find(long id) {
        List<User> found =
                jdbc.sql(WITH_VEHICLES + " WHERE u.id = :id ORDER BY v.plate")
                        .param("id", id)
                        .query(Rows.USERS);
        return found.stream().findFirst();
    }

    List<RichCustomer> richest() {
        return jdbc.sql(
                        """
                        SELECT first_name, last_name, email, coins FROM app_user WHERE role = 1
                        ORDER BY coins DESC, id LIMIT 10
                        """)
                .query(Rows::richCustomer)
                .list();
    }

    /** Gives whether there is such a user. */
    boolean setStatus(long id, UserStatus status) {
        return jdbc.sql("UPDATE app_user SET status = :status WHERE id = :id")
                        .param("id", id)
                        .param("status", status.ordinal())
                        .update()
                == 1;
    }

    Optional<PaymentMethod> paymentMethod(long id) {
        return jdbc.sql("SELECT payment_method FROM app_user WHERE id = :id")
                .param("id", id)
                .query(Rows::paymentMethod)
                .optional();
    }

    /** Gives whether there is such a user. */
    boolean setPaymentMethod(long id, PaymentMethod paymentMethod) {
        return jdbc.sql("UPDATE app_user SET payment_method = :paymentMethod WHERE id = :id")
                        .param("id", id)
                        .param("paymentMethod", paymentMethod.ordinal())
                        .update()
                == 1;
    }

    /** Gives whether there is such a user, whose row is then locked. */
    boolean lock(long id) {
        return jdbc.sql("SELECT id FROM app_user WHERE id = :id FOR NO KEY UPDATE")
                .param("id", id)
                .query(Long.class)
                .optional()
                .isPresent();
    }

    /** Locks the row. */
    Optional<Integer> lockCoins(long id) {
        return jdbc.sql("SELECT coins FROM app_user WHERE id = :id FOR NO KEY UPDATE")
                .param("id", id)
                .query(Integer.class)
                .optional();
    }

    /** Locks the rows of those that there are. */
    List<Balance> lockAll(List<Long> ids) {
        return jdbc.sql(
                        """
                        SELECT id, coins FROM app_user WHERE id = ANY(:ids)
                        ORDER BY id FOR NO KEY UPDATE
                        """)
                .param("ids", ids.toArray(Long[]::new))
                .query(Rows::balance)
                .list();
    }

    void give(Grant grant) {
        jdbc.sql("UPDATE app_user SET coins = coins + :amount WHERE id = ANY(:ids)")
                .param("ids", grant.userIds().toArray(Long[]::new))
                .param("amount", grant.amount())
                .update();
    }

    void take(long id, int coins) {
        jdbc.sql("UPDATE app_user SET coins = coins - :coins WHERE id = :id")
                .param("id", id)
                .param("coins", coins)
                .update();
    }
}
