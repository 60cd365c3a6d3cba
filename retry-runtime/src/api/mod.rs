//! How a call becomes a request, and how a response becomes an answer.

mod answer;
mod envelope;
mod rest2;
mod success;
mod webhook;

pub(crate) use answer::excerpt;
pub use answer::{Answer, Heard};
pub(crate) use rest2::{Response, Rest2};
pub use success::Success;
pub use webhook::WebhookError;
