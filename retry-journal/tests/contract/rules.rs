//! The list of all rules.

/// The rules of a `Journal`, as tests of the store that the expression makes.
macro_rules! journal_contract {
    ($stores:expr) => {
        rules! { $stores;
            begins: a_first_beginning_is_on_record_as_sending,
            begins: nothing_is_begun_over_an_intent_that_was_not_expected,
            begins: a_further_attempt_raises_epoch_and_attempt,
            begins: an_intent_without_effect_is_begun_anew_with_other_arguments,
            begins: an_applied_or_manual_intent_is_not_begun_again,
            begins: the_arguments_stay_while_somebody_may_need_them,
            begins: whatever_is_written_reads_back,
            changes: each_change_is_on_record_and_keeps_the_epoch,
            changes: another_epoch_changes_nothing,
            changes: a_closed_intent_changes_no_more,
            changes: the_news_that_it_was_applied_is_taken_from_anybody,
            changes: news_of_an_effect_after_the_end_changes_no_state,
            changes: an_intent_that_is_not_there_is_taken_by_nobody,
            claims: what_is_held_is_given_to_nobody_else,
            claims: a_later_process_claims_what_was_open,
            claims: what_was_let_go_of_is_claimed_again,
            claims: a_claim_names_portal_and_stubs_and_takes_the_oldest_up_to_its_limit,
            claims: one_intent_is_claimed_by_its_name,
            claims: what_is_closed_is_not_claimed,
            claims: a_release_is_on_record_after_a_flush,
            claims: of_many_at_once_one_begins,
        }
    };
}

/// The rules of a `Desk`.
macro_rules! desk_contract {
    ($stores:expr) => {
        rules! { $stores;
            looks: pages_go_from_the_newest_to_the_oldest_and_end,
            looks: a_list_is_narrowed_by_state_and_text,
            looks: a_story_is_told_in_order,
            looks: late_news_is_in_the_story,
            looks: stats_count_each_state_and_the_oldest,
            looks: what_does_not_exist_is_said_so,
            decisions: each_decision_has_its_states,
            decisions: a_decision_counts_only_for_what_was_looked_at,
            decisions: a_decision_is_on_record_with_name_and_note,
            decisions: a_holder_is_fenced_by_a_decision,
            decisions: what_was_allowed_once_is_begun_anew,
            decisions: what_is_to_be_verified_is_claimable,
        }
    };
}

macro_rules! rules {
    ($stores:expr; $($file:ident: $rule:ident,)*) => {
        $(
            #[tokio::test]
            async fn $rule() {
                $crate::$file::$rule(&$stores).await;
            }
        )*
    };
}
