//! A hash that gives the same numbers in every build, so that a seed means the same everywhere.

use serde_json::Value;

const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a over what is fed to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hash(u64);

impl Hash {
    pub(crate) fn new(seed: u64) -> Self {
        let mut hash = Self(BASIS);
        hash.bytes(&seed.to_le_bytes());
        hash
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        // Of a fixed width, so that a seed means the same on 32 bits.
        self.bytes(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes());
        self.bytes(text.as_bytes());
    }

    /// Feeds a value so that the order of an object's keys does not matter, nor whether a number came as a text:
    /// the same request as JSON and as a form is the same business content.
    pub(crate) fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.bytes(b"n"),
            Value::Bool(flag) => self.text(if *flag { "1" } else { "0" }),
            Value::Number(number) => self.text(&number.to_string()),
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                self.bytes(b"[");
                for item in items {
                    self.value(item);
                }
                self.bytes(b"]");
            }
            Value::Object(map) => {
                let mut keys: Vec<&String> = map.keys().collect();
                keys.sort();
                self.bytes(b"{");
                for key in keys {
                    self.text(key);
                    self.value(map.get(key).unwrap_or(&Value::Null));
                }
                self.bytes(b"}");
            }
        }
    }

    /// The number so far. The last step spreads the input over all bits: FNV alone leaves the high ones too even.
    pub(crate) fn finish(self) -> u64 {
        let mut spread = self.0;
        spread ^= spread >> 33;
        spread = spread.wrapping_mul(0xff51_afd7_ed55_8ccd);
        spread ^= spread >> 33;
        spread = spread.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        spread ^ (spread >> 33)
    }
}

/// A number from 0 to below 1, the `draw`-th one that belongs to this hash.
pub(crate) fn unit(hash: u64, draw: u64) -> f64 {
    let mut next = Hash::new(hash);
    next.bytes(&draw.to_le_bytes());
    let [a, b, c, d, ..] = next.finish().to_be_bytes();
    f64::from(u32::from_be_bytes([a, b, c, d])) / (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Hash, unit};

    fn of(value: &serde_json::Value) -> u64 {
        let mut hash = Hash::new(1);
        hash.value(value);
        hash.finish()
    }

    #[test]
    fn the_order_of_keys_and_the_form_of_numbers_do_not_matter() {
        assert_eq!(of(&json!({"a": 1, "b": [true]})), of(&json!({"b": ["1"], "a": "1"})));
        assert_ne!(of(&json!({"a": 1})), of(&json!({"a": 2})));
        assert_ne!(of(&json!(["ab", "c"])), of(&json!(["a", "bc"])));
    }

    #[test]
    fn a_seed_means_the_same_in_every_build() {
        assert_eq!(of(&json!({"fields": {"TITLE": "x"}})), 748_720_777_941_651_812);
    }

    #[test]
    fn draws_fill_the_unit_interval_evenly() {
        let mut tenths = [0_u32; 10];
        for hash in 0..10_000 {
            let at = (unit(hash, 0) * 10.0).floor();
            for (index, count) in tenths.iter_mut().enumerate() {
                if (at - f64::from(u32::try_from(index).unwrap())).abs() < 0.5 {
                    *count += 1;
                }
            }
        }
        assert!(tenths.iter().all(|count| (850..1150).contains(count)), "{tenths:?}");
    }
}
