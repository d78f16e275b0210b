"""What stacks of one language share is the same, so that a difference between them is theirs."""

import pytest
from parking_stacks import SYSTEM

JAVA = "src/main/java/loadstone/users"
ALL_JAVA = ("quarkus", "spring", "spring-webflux")
PLAIN = (
    *("Access", "Account", "Balance", "Bcrypt", "Caller", "CoinEvent", "Config", "Debit"),
    *("FailureLog", "Fault", "Grant", "Granted", "Hashes", "IdempotencyKey", "Ids", "Instants"),
    *("Json", "Limits", "LoginBody", "Members", "Names", "NewUser", "Operation", "OwnedPlate"),
    *("PaymentMethod", "PaymentMethodAnswer", "Problem", "Protocol", "Refusal", "Registration"),
    *("RegistryConnection", "RequestBody", "RichCustomer", "Role", "Route", "SqlState"),
    *("StoredAnswer", "StoredDebit", "Taken", "Texts", "TokenAnswer", "User", "UserStatus"),
    *("Validation", "Vehicle", "VehicleEnergySource", "VehicleKind", "VehicleType", "Wallet"),
    "Words",
)
"""What no framework sees."""
OF_BOTH_SERVICES = {
    "go": ("complaints.go", "environment.go", "protocol.go", "unused.go"),
    "fastify": ("src/complaints.js", "src/environment.js", "src/protocol.js", "src/server.js"),
}
"""By stack, what a gateway and users have alike."""


@pytest.mark.parametrize("name", PLAIN)
def test_what_no_framework_sees_is_the_same_in_all(name: str) -> None:
    folder = SYSTEM.directory / "users"
    assert len({(folder / stack / JAVA / f"{name}.java").read_text() for stack in ALL_JAVA}) == 1


@pytest.mark.parametrize(
    ("stack", "file"),
    [(stack, file) for stack, files in OF_BOTH_SERVICES.items() for file in files],
)
def test_what_both_services_have_is_the_same(stack: str, file: str) -> None:
    services = ("gateway", "users")
    assert len({(SYSTEM.directory / each / stack / file).read_text() for each in services}) == 1
