//! Names of custom fields: `UF_CRM_ORDER_KEY` in the old methods, `ufCrmOrderKey` in `crm.item.*`.

use super::schema::is_custom;

/// `UF_CRM_ORDER_KEY` becomes `ufCrmOrderKey`, `UF_CRM_123` becomes `ufCrm_123`: an underscore before a digit stays.
pub(crate) fn camel(custom: &str) -> String {
    let mut name = String::with_capacity(custom.len());
    let mut letters = custom.chars().peekable();
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().filter(char::is_ascii_alphabetic);
        match next {
            Some(capital) if letter == '_' => {
                name.push(capital.to_ascii_uppercase());
                letters.next();
            }
            Some(_) | None => name.push(letter.to_ascii_lowercase()),
        }
    }
    name
}

/// The other way. `None`: not the name of a custom field.
pub(crate) fn capitals(name: &str) -> Option<String> {
    let rest = name.strip_prefix("ufCrm")?;
    let mut custom = "UF_CRM".to_owned();
    for (at, letter) in rest.char_indices() {
        // `ufCrm2_163` is `UF_CRM_2_163`: the number of a type follows without an underscore.
        if letter.is_ascii_uppercase() || (at == 0 && letter.is_ascii_digit()) {
            custom.push('_');
        }
        custom.push(letter.to_ascii_uppercase());
    }
    is_custom(&custom).then_some(custom)
}

#[cfg(test)]
mod tests {
    use super::{camel, capitals};

    #[test]
    fn custom_names_go_to_camel_case_and_back() {
        for (old, new) in [
            ("UF_CRM_123", "ufCrm_123"),
            ("UF_CRM_ORDER_KEY", "ufCrmOrderKey"),
            ("UF_CRM_2_1639669411830", "ufCrm_2_1639669411830"),
            ("UF_CRM_KEY_7", "ufCrmKey_7"),
        ] {
            assert_eq!(camel(old), new);
            assert_eq!(capitals(new).as_deref(), Some(old));
        }
        assert_eq!(capitals("ufCrm2_163").as_deref(), Some("UF_CRM_2_163"));
    }

    #[test]
    fn what_is_no_custom_name_is_none() {
        for name in ["", "ufCrm", "ufCrm_", "UF_CRM_1", "originId", "ufCrmКлюч", "ufCrm-1"] {
            assert_eq!(capitals(name), None, "{name}");
        }
    }
}
