//! Tokens as a person would type them, for the code that messages and docs show.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// `tokens` on one line, spaced like ordinary Rust: their own `to_string` puts a space between nearly all of them.
pub(crate) fn spell(tokens: impl ToTokens) -> String {
    let mut line = Line::default();
    line.write(tokens.into_token_stream());
    line.text
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    /// Nothing yet, or something that the next token follows without a space.
    #[default]
    Tight,
    Word,
    /// A closing `>`: a word after it needs a space, a bracket does not.
    Angle,
    /// A token that is followed by a space whatever comes next.
    Loose,
}

#[derive(Default)]
struct Line {
    text: String,
    last: Last,
}

impl Line {
    fn write(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(word) => self.word(&word.to_string()),
                TokenTree::Literal(literal) => self.word(&literal.to_string()),
                TokenTree::Group(group) => self.group(group.delimiter(), group.stream()),
                TokenTree::Punct(punct) => {
                    let mut operator = punct.as_char().to_string();
                    let mut joint = punct.spacing() == Spacing::Joint && operator != "'";
                    while joint && let Some(TokenTree::Punct(next)) = tokens.peek() {
                        let longer = format!("{operator}{}", next.as_char());
                        if !OPERATORS.contains(&longer.as_str()) {
                            break;
                        }
                        joint = next.spacing() == Spacing::Joint;
                        operator = longer;
                        tokens.next();
                    }
                    self.operator(&operator);
                }
            }
        }
    }

    fn word(&mut self, word: &str) {
        if self.last != Last::Tight {
            self.text.push(' ');
        }
        self.text.push_str(word);
        let keyword = ["as", "const", "dyn", "impl", "in", "mut", "where"].contains(&word);
        self.last = if keyword { Last::Loose } else { Last::Word };
    }

    fn operator(&mut self, operator: &str) {
        match operator {
            "," | ";" | ":" => {
                self.text.push_str(operator);
                self.last = Last::Loose;
            }
            "->" | "=" | "+" | "=>" | "==" | "!=" | "<=" | ">=" | "&&" | "||" | "/" => {
                self.text.push(' ');
                self.text.push_str(operator);
                self.last = Last::Loose;
            }
            "'" => {
                if self.last == Last::Word || self.last == Last::Loose {
                    self.text.push(' ');
                }
                self.text.push('\'');
                self.last = Last::Tight;
            }
            _ => {
                if self.last == Last::Loose || (self.last == Last::Word && operator == "&") {
                    self.text.push(' ');
                }
                self.text.push_str(operator);
                self.last = if operator == ">" { Last::Angle } else { Last::Tight };
            }
        }
    }

    fn group(&mut self, delimiter: Delimiter, tokens: TokenStream) {
        let (open, close) = match delimiter {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Brace => ("{ ", " }"),
            Delimiter::None => return self.write(tokens),
        };
        if self.last == Last::Loose || (delimiter == Delimiter::Brace && self.last != Last::Tight) {
            self.text.push(' ');
        }
        self.text.push_str(open);
        self.last = Last::Tight;
        self.write(tokens);
        self.text.push_str(close);
        self.last = Last::Word;
    }
}

/// The operators of more than one character that occur in types, signatures and short expressions.
const OPERATORS: [&str; 12] = ["::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "..", "..=", "..."];

#[cfg(test)]
mod tests {
    use super::spell;

    #[test]
    fn types_signatures_and_expressions_read_like_source() {
        for source in [
            "&'a mut NewDeal<'_>",
            "Result<Page<DealRow>, CallError>",
            "Option<&[&str]>",
            "Box<dyn Fn(u32, &str) -> Result<(), E> + Send + 'static>",
            "impl Into<Cow<'a, str>>",
            "for<'a> fn(&'a T) -> [u8; 3]",
            "<T as ::core::iter::Iterator>::Item",
            "HashMap<&str, Vec<u8>>",
            "where T: ?Sized + Serialize, U: Clone",
            "fields.origin.as_deref().unwrap_or(\"none\")",
            "format!(\"{}-{}\", a.b, &c)",
            "a == b && !c",
        ] {
            let tokens: proc_macro2::TokenStream = source.parse().unwrap();
            assert_eq!(spell(tokens), source);
        }
    }
}
