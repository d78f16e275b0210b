//! What is answered, without a socket.

use super::*;

const NAMES: [(&str, &str); 14] = [
    ("WSO2Con", "Sri Lanka"),
    ("Strata", "UK"),
    ("QCon", "USA"),
    ("Google%20I%2FO", "USA"),
    ("MS%20Build", "USA"),
    ("Apple%20WWDC", "USA"),
    ("Oracle%20OpenWorld", "USA"),
    ("AWS%20re%3AInvent", "USA"),
    ("KubeCon", "USA"),
    ("DockerCon", "USA"),
    ("Red%20Hat%20Summit", "USA"),
    ("IBM%20Think", "USA"),
    ("Google%20Cloud%20Next", "USA"),
    ("Microsoft%20Ignite", "USA"),
];

async fn ask(country: &Country, method: Method, path: &str, body: String) -> (StatusCode, String) {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .body(Full::<Bytes>::from(body))
        .expect("a request");
    let Ok(answer) = country.answer(request).await;
    let status = answer.status();
    let body = answer.into_body().collect().await.expect("a body");
    let body = String::from_utf8(body.to_bytes().to_vec()).expect("UTF-8");
    (status, body)
}

async fn get(country: &Country, path: &str) -> (StatusCode, String) {
    ask(country, Method::GET, path, String::new()).await
}

async fn post(country: &Country, body: String) -> (StatusCode, String) {
    ask(country, Method::POST, "/countries", body).await
}

fn at_once() -> Country {
    Country::new(Duration::ZERO)
}

fn batch_of(names: usize) -> String {
    let names = vec!["\"QCon\""; names].join(",");
    format!("{{\"names\":[{names}]}}")
}

#[tokio::test]
async fn every_published_name_has_its_country() {
    for (name, country) in NAMES {
        let answered = get(&at_once(), &format!("/conferences/{name}/country")).await;
        let expected = format!("{{\"name\":\"{country}\"}}");
        assert_eq!(answered, (StatusCode::OK, expected), "{name}");
    }
}

#[tokio::test]
async fn an_unknown_name_gets_the_published_texts() {
    for (written, name) in [("qcon", "qcon"), ("%2F..", "/.."), ("a+b", "a+b"), ("", "")] {
        let (status, body) = get(&at_once(), &format!("/conferences/{written}/country")).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        let expected = format!(
            "{{\"message\":\"Error ocurred while retrieving the country for the conference: {name}\",\
             \"cause\":\"No conference found with the name: {name}\"}}"
        );
        assert_eq!(body, expected);
    }
}

#[tokio::test]
async fn a_batch_is_answered_by_position() {
    let names = r#"{"names":["QCon","Strata","WSO2Con","QCon"]}"#.to_owned();
    let (status, body) = post(&at_once(), names).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(body, r#"{"countries":["USA","UK","Sri Lanka","USA"]}"#);
}

#[tokio::test]
async fn one_unknown_name_refuses_its_batch() {
    let (status, body) = post(&at_once(), r#"{"names":["QCon","JavaOne"]}"#.to_owned()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(body.contains("No conference found with the name: JavaOne"));
}

#[tokio::test]
async fn a_batch_has_at_most_a_thousand_names() {
    assert_eq!(post(&at_once(), batch_of(1_000)).await.0, StatusCode::OK);
    let (status, _) = post(&at_once(), batch_of(1_001)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn what_is_no_batch_is_refused() {
    for body in ["", "{}", "[]", r#"{"names":[1]}"#, r#"{"names":[]}{}"#] {
        let (status, _) = post(&at_once(), body.to_owned()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
    }
}

#[tokio::test]
async fn paths_and_methods_are_exact() {
    for path in [
        "/",
        "/stats/",
        "/Stats",
        "/conferences/a/b/country",
        "/conferences/QCon",
    ] {
        assert_eq!(
            get(&at_once(), path).await.0,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    for (method, path) in [
        (Method::POST, "/conferences/QCon/country"),
        (Method::GET, "/countries"),
        (Method::PUT, "/stats"),
    ] {
        let (status, _) = ask(&at_once(), method, path, String::new()).await;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
    }
}

#[tokio::test]
async fn what_was_asked_is_counted() {
    let country = at_once();
    get(&country, "/conferences/QCon/country").await;
    get(&country, "/conferences/nowhere/country").await;
    post(&country, batch_of(3)).await;
    post(&country, "{}".to_owned()).await;
    let (_, body) = get(&country, "/stats").await;
    assert_eq!(
        body,
        r#"{"lookups":2,"batches":1,"names":5,"peak_in_flight":1}"#
    );
}

#[tokio::test(start_paused = true)]
async fn each_answer_waits_once_and_by_itself() {
    let country = Country::new(Duration::from_millis(50));
    let began = tokio::time::Instant::now();
    let many = (0..10).map(|_| get(&country, "/conferences/QCon/country"));
    let (batch, ()) = tokio::join!(post(&country, batch_of(100)), async {
        for look_up in many.collect::<Vec<_>>() {
            look_up.await;
        }
    });
    assert_eq!(batch.0, StatusCode::OK);
    assert_eq!(began.elapsed().as_millis(), 500);
    assert!(
        get(&country, "/stats")
            .await
            .1
            .contains("\"peak_in_flight\":2")
    );
}
