//! What all pages have around them.

use axum::response::Html;
use maud::{DOCTYPE, Markup, html};

/// What is at the top of a page.
#[derive(Clone, Copy)]
pub(super) enum Bar<'a> {
    /// The name only.
    Bare,
    /// A way back to the queue, and one out with this token for the form, where people log in.
    Full(Option<&'a str>),
}

pub(super) fn frame(title: &str, bar: Bar<'_>, body: &Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · write journal" }
                link rel="stylesheet" href="/style.css";
            }
            body {
                header.bar {
                    a.brand href="/" { "Write journal" }
                    @if let Bar::Full(Some(form)) = bar {
                        form method="post" action="/logout" {
                            input type="hidden" name="form" value=(form);
                            button.quiet type="submit" { "Log out" }
                        }
                    }
                }
                main { (body) }
            }
        }
    };
    Html(page.into_string())
}

/// A state as a label with its colour.
pub(super) fn badge(state: &str) -> Markup {
    html! { span class={ "badge " (state.replace(' ', "-")) } { (state) } }
}
