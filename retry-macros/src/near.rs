//! "Did you mean …": the nearest of a few words.

/// The word that `given` was probably meant to be, if one is near enough to be worth naming.
pub(crate) fn nearest<'w>(given: &str, words: &[&'w str]) -> Option<&'w str> {
    let given = given.to_lowercase();
    // Longer words may be further off; a word of three letters turns into almost any other by two changes.
    let limit = given.chars().count().div_ceil(3).min(2);
    words
        .iter()
        .map(|word| (distance(&given, word), *word))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// The edit distance in which two swapped neighbours count as one change.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + change);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn a_swap_is_one_change() {
        assert_eq!(distance("nmae", "name"), 1);
        assert_eq!(distance("name", "name"), 0);
        assert_eq!(distance("", "kind"), 4);
    }

    #[test]
    fn the_nearest_word_wins_and_a_far_one_is_not_named() {
        let words = ["name", "kind", "verify", "key"];
        assert_eq!(nearest("Nmae", &words), Some("name"));
        assert_eq!(nearest("verfy", &words), Some("verify"));
        assert_eq!(nearest("eve", &words), None);
        assert_eq!(nearest("colour", &words), None);
    }
}
