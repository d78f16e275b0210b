//! Which conference takes place in which country, as published. The names are those of the seed.

/// The country of a conference, by its exact name.
pub fn country_of(conference: &str) -> Option<&'static str> {
    Some(match conference {
        "WSO2Con" => "Sri Lanka",
        "Strata" => "UK",
        "QCon" | "Google I/O" | "MS Build" | "Apple WWDC" | "Oracle OpenWorld"
        | "AWS re:Invent" | "KubeCon" | "DockerCon" | "Red Hat Summit" | "IBM Think"
        | "Google Cloud Next" | "Microsoft Ignite" => "USA",
        _ => return None,
    })
}
