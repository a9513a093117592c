//! Many questions, several workers, and when to give up.

use std::sync::{Mutex, MutexGuard};

use crate::evaluation::{Evaluation, EvaluationError, Question, QuestionQueue};
use crate::progress::Progress;

/// Workers that answer questions, one thread per worker, until they fail too often in a row.
///
/// Failures are counted over all workers and from one call to the next: a program that does not
/// start is given up after the first question, one that crashes now and then is not.
///
/// ```
/// use tejun_knowledge::evaluation::{PoolError, WorkerPool};
/// use tejun_knowledge::progress::NoProgress;
///
/// let divide = |worker: &mut i32, question: &i32| Ok(worker.checked_div(*question).ok_or("divided by zero")?);
/// let mut pool = WorkerPool::new(vec![60, 60]);
/// let answers = pool.ask_all(&[1, 0, 5], &NoProgress, divide)?;
/// assert_eq!(answers, [Ok(60), Err("divided by zero"), Ok(12)]);
///
/// let given_up = pool.ask_all(&[0; 100], &NoProgress, divide);
/// assert_eq!(given_up, Err(PoolError::GivenUp { n_failures: 3, error: "divided by zero" }));
/// # Ok::<(), PoolError<&str>>(())
/// ```
#[derive(Debug)]
pub struct WorkerPool<W> {
    workers: Vec<W>,
    limit: FailureLimit,
    failures: FailureCount,
}

/// The number of failures in a row after which workers are given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailureLimit {
    /// Before the first answer: most programs that fail once have not been set up correctly.
    pub before_first_answer: usize,
    /// After the first answer.
    pub after_first_answer: usize,
}

impl Default for FailureLimit {
    fn default() -> FailureLimit {
        FailureLimit { before_first_answer: 1, after_first_answer: 3 }
    }
}

/// How a worker fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerFailure<E> {
    /// The question has no answer; the next one may have.
    OfQuestion(E),
    /// No other question will be answered.
    Fatal(E),
}

impl<E> From<E> for WorkerFailure<E> {
    fn from(error: E) -> WorkerFailure<E> {
        WorkerFailure::OfQuestion(error)
    }
}

/// Why the questions were not all asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError<E> {
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The workers failed too often in a row, or a failure was fatal.
    #[error("given up after {n_failures} failures in a row")]
    GivenUp {
        /// How often.
        n_failures: usize,
        /// The last failure, in the order of the questions.
        error: E,
    },
}

#[derive(Clone, Copy, Debug, Default)]
struct FailureCount {
    in_a_row: usize,
    has_answered: bool,
}

/// What the threads of one call share.
struct Shared<A, E> {
    next: usize,
    is_over: bool,
    failures: FailureCount,
    fatal: Option<E>,
    answers: Vec<Option<Result<A, E>>>,
}

impl<W: Send> WorkerPool<W> {
    /// A pool with the usual limit.
    pub fn new(workers: Vec<W>) -> WorkerPool<W> {
        WorkerPool { workers, limit: FailureLimit::default(), failures: FailureCount::default() }
    }

    /// The same workers with another limit.
    pub fn with_limit(self, limit: FailureLimit) -> WorkerPool<W> {
        WorkerPool { limit, ..self }
    }

    /// Asks every question once; the answers are in the order of the questions.
    ///
    /// Counts one step of `progress` per question, and does not start a stage. What is to be kept if
    /// the work ends early must be kept by `ask`.
    ///
    /// # Errors
    /// If the caller cancels, or the workers are given up.
    pub fn ask_all<Q: Sync, A: Send, E: Send>(
        &mut self,
        questions: &[Q],
        progress: &dyn Progress,
        ask: impl Fn(&mut W, &Q) -> Result<A, WorkerFailure<E>> + Sync,
    ) -> Result<Vec<Result<A, E>>, PoolError<E>> {
        self.ask_many(questions, progress, |worker, queue| {
            while let Some(number) = queue.next_number() {
                queue.take_answer(number, ask(worker, &questions[number]));
            }
        })
    }

    /// As [`WorkerPool::ask_all`], for workers that take several questions before they answer the first.
    ///
    /// `work` must answer every question that it takes, unless the queue is over.
    ///
    /// # Errors
    /// If the caller cancels, or the workers are given up.
    pub fn ask_many<Q: Sync, A: Send, E: Send>(
        &mut self,
        questions: &[Q],
        progress: &dyn Progress,
        work: impl Fn(&mut W, &mut PoolQueue<'_, Q, A, E>) + Sync,
    ) -> Result<Vec<Result<A, E>>, PoolError<E>> {
        let limit = self.limit;
        let shared = Mutex::new(Shared::new(questions.len(), self.failures));
        std::thread::scope(|scope| {
            for worker in &mut self.workers {
                scope.spawn(|| work(worker, &mut PoolQueue { questions, shared: &shared, limit, progress }));
            }
        });
        let shared = shared.into_inner().expect("no worker panicked");
        self.failures = shared.failures;
        shared.finish(limit, progress)
    }
}

/// The questions that no worker of a pool has taken yet; the workers share them.
pub struct PoolQueue<'p, Q, A, E> {
    questions: &'p [Q],
    shared: &'p Mutex<Shared<A, E>>,
    limit: FailureLimit,
    progress: &'p dyn Progress,
}

impl<Q, A, E> PoolQueue<'_, Q, A, E> {
    fn next_number(&self) -> Option<usize> {
        lock(self.shared).next_question(self.progress)
    }

    fn take_answer(&self, number: usize, answer: Result<A, WorkerFailure<E>>) {
        lock(self.shared).take_answer(number, answer, self.limit);
        self.progress.advance(1);
    }
}

impl<'g> QuestionQueue<'g> for PoolQueue<'_, Question<'g>, Evaluation, EvaluationError> {
    fn next_question(&mut self) -> Option<(usize, Question<'g>)> {
        self.next_number().map(|number| (number, self.questions[number]))
    }

    fn answer(&mut self, number: usize, answer: Result<Evaluation, EvaluationError>) {
        self.take_answer(number, answer.map_err(WorkerFailure::from));
    }

    fn is_over(&self) -> bool {
        lock(self.shared).is_over || self.progress.is_cancelled()
    }
}

fn lock<A, E>(shared: &Mutex<Shared<A, E>>) -> MutexGuard<'_, Shared<A, E>> {
    shared.lock().expect("no worker panics while it holds the lock")
}

impl FailureCount {
    fn is_too_high(self, limit: FailureLimit) -> bool {
        self.in_a_row >= if self.has_answered { limit.after_first_answer } else { limit.before_first_answer }
    }
}

impl<A, E> Shared<A, E> {
    fn new(n_questions: usize, failures: FailureCount) -> Shared<A, E> {
        let answers = (0..n_questions).map(|_| None).collect();
        Shared { next: 0, is_over: false, failures, fatal: None, answers }
    }

    fn next_question(&mut self, progress: &dyn Progress) -> Option<usize> {
        if self.is_over || self.next == self.answers.len() || progress.is_cancelled() {
            return None;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    fn take_answer(&mut self, index: usize, answer: Result<A, WorkerFailure<E>>, limit: FailureLimit) {
        let answer = match answer {
            Ok(answer) => {
                // An answer that comes after the workers were given up changes nothing: others are missing.
                if !self.is_over {
                    self.failures = FailureCount { in_a_row: 0, has_answered: true };
                }
                Ok(answer)
            }
            Err(failure) => {
                self.failures.in_a_row += 1;
                self.is_over |= self.failures.is_too_high(limit);
                match failure {
                    WorkerFailure::OfQuestion(error) => Err(error),
                    WorkerFailure::Fatal(error) => {
                        self.is_over = true;
                        self.fatal.get_or_insert(error);
                        return;
                    }
                }
            }
        };
        self.answers[index] = Some(answer);
    }

    fn finish(self, limit: FailureLimit, progress: &dyn Progress) -> Result<Vec<Result<A, E>>, PoolError<E>> {
        if progress.is_cancelled() {
            return Err(PoolError::Cancelled);
        }
        let n_failures = self.failures.in_a_row;
        if let Some(error) = self.fatal {
            return Err(PoolError::GivenUp { n_failures, error });
        }
        let mut answers: Vec<Result<A, E>> = self.answers.into_iter().flatten().collect();
        if n_failures > 0 && self.failures.is_too_high(limit) {
            let last = answers.iter().rposition(Result::is_err);
            if let Some(Err(error)) = last.map(|at| answers.swap_remove(at)) {
                return Err(PoolError::GivenUp { n_failures, error });
            }
        }
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::progress::NoProgress;

    /// Fails for odd numbers.
    fn even(n_asked: &mut usize, question: &u32) -> Result<u32, WorkerFailure<u32>> {
        *n_asked += 1;
        if question.is_multiple_of(2) { Ok(question / 2) } else { Err(WorkerFailure::OfQuestion(*question)) }
    }

    fn ask(pool: &mut WorkerPool<usize>, questions: &[u32]) -> Result<Vec<Result<u32, u32>>, PoolError<u32>> {
        pool.ask_all(questions, &NoProgress, even)
    }

    #[test]
    fn answers_are_in_the_order_of_the_questions() {
        let questions: Vec<u32> = (0..1_000).map(|n| if n % 7 == 3 { n | 1 } else { n & !1 }).collect();
        let expected: Vec<Result<u32, u32>> =
            questions.iter().map(|&q| if q % 2 == 0 { Ok(q / 2) } else { Err(q) }).collect();
        let mut pool = WorkerPool::new(vec![0; 4]).with_limit(FailureLimit { before_first_answer: 99, ..PATIENT });
        assert_eq!(ask(&mut pool, &questions), Ok(expected));
        assert_eq!(pool.workers.iter().sum::<usize>(), 1_000);
    }

    const PATIENT: FailureLimit = FailureLimit { before_first_answer: 1, after_first_answer: 99 };

    #[test]
    fn failures_in_a_row_end_the_work() {
        let mut pool = WorkerPool::new(vec![0]);
        assert_eq!(ask(&mut pool, &[1, 2]), Err(PoolError::GivenUp { n_failures: 1, error: 1 }));
        assert_eq!(pool.workers, [1], "nothing worked so far, so one failure is enough");
        assert_eq!(ask(&mut pool, &[2, 1, 3]), Ok(vec![Ok(1), Err(1), Err(3)]));
        // The count goes from one call to the next.
        assert_eq!(ask(&mut pool, &[5, 2, 2]), Err(PoolError::GivenUp { n_failures: 3, error: 5 }));
        assert_eq!(ask(&mut pool, &[4]), Ok(vec![Ok(2)]));
        assert_eq!(ask(&mut pool, &[1, 1]), Ok(vec![Err(1), Err(1)]));
        assert_eq!(ask(&mut WorkerPool::new(vec![0]), &[]), Ok(vec![]));
    }

    #[test]
    fn a_fatal_failure_ends_the_work_at_once() {
        let mut pool = WorkerPool::new(vec![()]);
        let ask = |_: &mut (), question: &u32| if *question < 3 { Ok(()) } else { Err(WorkerFailure::Fatal("no")) };
        let answers = pool.ask_all(&[1, 2, 3, 1], &NoProgress, ask);
        assert_eq!(answers, Err(PoolError::GivenUp { n_failures: 1, error: "no" }));
    }

    #[test]
    fn answers_after_the_last_failure_do_not_hide_it() {
        let mut pool = WorkerPool::new(vec![()]);
        let answers = pool.ask_many(&["a", "b", "c"], &NoProgress, |(), queue| {
            let numbers: Vec<usize> = (0..2).filter_map(|_| queue.next_number()).collect();
            queue.take_answer(numbers[1], Err(WorkerFailure::OfQuestion("no")));
            queue.take_answer(numbers[0], Ok(7));
            assert_eq!(queue.next_number(), None, "the pool was given up");
        });
        assert_eq!(answers, Err(PoolError::GivenUp { n_failures: 1, error: "no" }));
    }

    #[test]
    fn the_caller_can_cancel() {
        struct AtMost(AtomicUsize);
        impl Progress for AtMost {
            fn advance(&self, _: u64) {
                self.0.fetch_sub(1, Ordering::Relaxed);
            }
            fn is_cancelled(&self) -> bool {
                self.0.load(Ordering::Relaxed) == 0
            }
        }
        let mut pool = WorkerPool::new(vec![0]);
        let answers = pool.ask_all(&[2; 10], &AtMost(AtomicUsize::new(4)), even);
        assert_eq!((answers, pool.workers), (Err(PoolError::Cancelled), vec![4]));
    }
}
