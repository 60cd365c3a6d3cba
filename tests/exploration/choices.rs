//! Every sequence of choices, one run after the other: what was chosen is written down, and the last choice that has another way takes it.

/// One choice: what was taken, of how many.
#[derive(Debug, Clone, Copy)]
struct Choice {
    taken: usize,
    of: usize,
}

/// The choices of one run. What is beyond those of an earlier run begins with its first way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choices {
    made: Vec<Choice>,
    next: usize,
    newest: usize,
}

impl Choices {
    /// Takes the way that is due, of so many.
    pub(crate) fn take(&mut self, of: usize) -> usize {
        let place = self.next;
        self.next += 1;
        if self.made.len() == place {
            self.made.push(Choice { taken: 0, of });
        }
        let choice = self.made[place];
        assert_eq!(choice.of, of, "the same choices lead to the same questions");
        choice.taken
    }

    /// The same from the start, for a run that is cut short: it asks the same for as long as it lasts.
    pub(crate) fn again(&self) -> Self {
        Self { next: 0, ..self.clone() }
    }

    /// The place of the first choice that this run does not share with the one before it.
    pub(crate) fn newest(&self) -> usize {
        self.newest
    }

    /// The choices of the next run; `None` after the last.
    pub(crate) fn following(mut self) -> Option<Self> {
        while let Some(last) = self.made.last_mut() {
            last.taken += 1;
            if last.taken < last.of {
                (self.next, self.newest) = (0, self.made.len() - 1);
                return Some(self);
            }
            self.made.pop();
        }
        None
    }
}

#[test]
fn every_sequence_comes_once() {
    let mut seen = Vec::new();
    let mut choices = Some(Choices::default());
    while let Some(mut run) = choices {
        let first = run.take(2);
        // The second question hangs on the first answer.
        let second = if first == 0 { run.take(3) } else { 9 };
        seen.push((first, second));
        choices = run.following();
    }
    assert_eq!(seen, [(0, 0), (0, 1), (0, 2), (1, 9)]);
}
