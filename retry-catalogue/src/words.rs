//! The closed sets of words that cells of the table hold.

/// An enum, the word of each variant, and the way back.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $name {
            /// Every variant, in the order of the declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word that stands for it in the table.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            pub(crate) fn parse(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                out.pad(self.as_str())
            }
        }
    };
}

words! {
    /// Whether a call of the method may change anything on the portal.
    Kind {
        /// It changes nothing, so it may be sent again after any answer.
        Read = "read",
        /// It changes something, or might: the documentation leaves it open, or the arguments decide.
        Write = "write",
    }
}

words! {
    /// The versions of the REST interface that have the method.
    Versions {
        /// REST 2 only, under `/rest/`.
        Two = "2",
        /// REST 3.0 only, under `/rest/api/`.
        Three = "3",
        /// Both, under the same name: arguments and results differ.
        Both = "23",
    }
}

impl Versions {
    /// Whether REST 2 has the method.
    pub const fn has_rest2(self) -> bool {
        match self {
            Self::Two | Self::Both => true,
            Self::Three => false,
        }
    }

    /// Whether REST 3.0 has the method.
    pub const fn has_rest3(self) -> bool {
        match self {
            Self::Three | Self::Both => true,
            Self::Two => false,
        }
    }
}

words! {
    /// What the method does, by and large.
    Action {
        /// Reads one thing.
        Get = "get",
        /// Reads a list.
        List = "list",
        /// Reads the description of fields.
        Fields = "fields",
        /// Searches; often through an index that lags behind, so it is no way to read a write back.
        Search = "search",
        /// Counts.
        Count = "count",
        /// Makes something.
        Create = "create",
        /// Changes something.
        Update = "update",
        /// Removes something.
        Delete = "delete",
        /// Sends something to people or to another system.
        Send = "send",
        /// Moves something into another state: starts, completes, pays, publishes.
        Act = "action",
        /// None of these.
        Other = "other",
    }
}

words! {
    /// What a second send of the same write does.
    Replay {
        /// It leaves the state that the first one left, unless somebody changed it in between.
        Same = "same",
        /// It does the same once more: a second deal, a second message.
        Duplicate = "dup",
        /// It is documented to be refused or ignored while what the first one made is there.
        Refused = "refused",
        /// It is probably refused; the documentation does not promise it.
        MaybeRefused = "refused?",
        /// It finds nothing left to remove.
        Gone = "gone",
        /// It acts again or is refused, as the new state has it.
        Act = "act",
        /// It undoes the first.
        Toggle = "toggle",
        /// It moves one step further.
        Relative = "relative",
        /// It takes what comes next; what the lost answer held is lost.
        Loss = "loss",
    }
}

words! {
    /// How surely one finds out whether a write was applied.
    Strength {
        /// The portal itself refuses a second one with the same key, or answers it with the first one's result. That
        /// something with the key is there shows the effect of this call only if the key is new for each operation.
        Server = "server",
        /// One read finds it by a key: a field of your own for what is created, the id for what is changed or removed.
        Exact = "exact",
        /// One lists all there is under something known, to the end of the list, and looks for it there.
        Parent = "parent",
        /// Nothing tells this call from another. An unknown outcome is for a person to settle.
        Nothing = "nothing",
    }
}
