//! Applies a function to many items in several threads.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Applies `work` to each item; results keep the order of the items. Each thread takes the next item when it is free.
pub(crate) fn map_each<T: Sync, R: Send>(items: &[T], n_threads: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let taken = numbers.map_while(|number| Some((number, items.get(number)?)));
        taken.map(|(number, item)| (number, work(item))).collect::<Vec<_>>()
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..n_threads.clamp(1, 64)).map(|_| scope.spawn(take)).collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("the work does not panic")).collect()
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        let expected: Vec<usize> = items.iter().map(|n| n * n).collect();
        for n_threads in [0, 1, 3] {
            assert_eq!(map_each(&items, n_threads, |n| n * n), expected);
        }
        assert!(map_each(&[], 2, |n: &usize| *n).is_empty());
    }
}
