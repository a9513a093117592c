//! Truth tables as sums of products.

/// A product: its variables as bits, the positive and the negated ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Product {
    pub holds: u32,
    pub fails: u32,
}

/// An irredundant sum of products between two tables (Minato and Morreale 1992).
///
/// It holds wherever `lower` does and nowhere that `upper` does not. Bit i of an index is variable i. Depends only on
/// the tables. `None` if it needs more than `most` products.
pub(crate) fn sum_of_products(lower: &[bool], upper: &[bool], most: usize) -> Option<Vec<Product>> {
    let mut products = Vec::new();
    cover(lower, upper, most, &mut products)?;
    Some(products)
}

/// Adds the products and returns their table.
fn cover(lower: &[bool], upper: &[bool], most: usize, products: &mut Vec<Product>) -> Option<Vec<bool>> {
    if !lower.contains(&true) {
        return Some(vec![false; lower.len()]);
    }
    if !upper.contains(&false) {
        products.push(Product::default());
        return (products.len() <= most).then(|| vec![true; lower.len()]);
    }
    // The last variable halves the tables.
    let half = lower.len() / 2;
    let variable = 1 << half.trailing_zeros();
    let ((l0, l1), (u0, u1)) = (lower.split_at(half), upper.split_at(half));
    let mut literal = |lower: &[bool], other: &[bool], upper: &[bool], holds: u32, fails: u32| {
        let first = products.len();
        let found = cover(&zip(lower, other, |l, u| l && !u), upper, most, products)?;
        for product in &mut products[first..] {
            product.holds |= holds;
            product.fails |= fails;
        }
        Some(found)
    };
    let c0 = literal(l0, u1, u0, 0, variable)?;
    let c1 = literal(l1, u0, u1, variable, 0)?;
    let left = zip(&zip(l0, &c0, |l, c| l && !c), &zip(l1, &c1, |l, c| l && !c), |a, b| a || b);
    let both = cover(&left, &zip(u0, u1, |a, b| a && b), most, products)?;
    let mut table = zip(&c0, &both, |a, b| a || b);
    table.extend(zip(&c1, &both, |a, b| a || b));
    Some(table)
}

fn zip(a: &[bool], b: &[bool], join: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| join(a, b)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_stay_between_the_tables_and_need_every_product(
            cells in (0..6u32).prop_flat_map(|n| proptest::collection::vec(0..3u8, 1 << n)),
        ) {
            let lower: Vec<bool> = cells.iter().map(|&c| c == 2).collect();
            let upper: Vec<bool> = cells.iter().map(|&c| c >= 1).collect();
            let products = sum_of_products(&lower, &upper, 64).expect("few variables");
            let holds = |product: &Product, i: usize| {
                i as u32 & product.holds == product.holds && i as u32 & product.fails == 0
            };
            for i in 0..cells.len() {
                let value = products.iter().any(|product| holds(product, i));
                prop_assert!(value || !lower[i]);
                prop_assert!(!value || upper[i]);
            }
            for (n, product) in products.iter().enumerate() {
                let others = || products.iter().enumerate().filter(|(m, _)| *m != n);
                let is_alone = |i: usize| holds(product, i) && !others().any(|(_, other)| holds(other, i));
                prop_assert!((0..cells.len()).any(|i| lower[i] && is_alone(i)));
            }
        }
    }
}
