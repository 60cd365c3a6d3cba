//! What the person uses: the commands, the page, and the page in a real browser.

mod browser;
mod commands;
mod fixtures;
mod http;
mod memory;
mod numbers;
mod page;
mod page_decisions;
mod page_login;
mod serving;
