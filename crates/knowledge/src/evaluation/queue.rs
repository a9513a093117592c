//! Positions that wait to be evaluated.

use crate::evaluation::{Evaluation, EvaluationError, Evaluator, Question};

/// Questions for an evaluator, which takes as many at once as it likes, and the place for its answers.
///
/// An evaluator that wraps another one can wrap the queue also: [`crate::evaluation::Cached`] passes on only the
/// questions that it can't answer.
pub trait QuestionQueue<'g> {
    /// Takes the next question, with the number under which it is answered; `None` if there are no more.
    fn next_question(&mut self) -> Option<(usize, Question<'g>)>;

    /// Answers a question that was taken. The order does not matter.
    fn answer(&mut self, number: usize, answer: Result<Evaluation, EvaluationError>);

    /// Whether the work ends early: no question is left, and those that were taken need no answer.
    fn is_over(&self) -> bool;
}

/// Answers each question before it takes the next one.
pub(crate) fn evaluate_one_by_one(evaluator: &mut (impl Evaluator + ?Sized), queue: &mut dyn QuestionQueue<'_>) {
    while let Some((number, question)) = queue.next_question() {
        let answer = evaluator.evaluate(&question);
        queue.answer(number, answer);
    }
}
