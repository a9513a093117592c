//! Small systems of linear equations.

/// Pivots smaller than this count as 0.
const SINGULAR: f64 = 1e-12;

/// Solves `matrix * x = right`; `None` if the matrix is singular.
///
/// The matrix is a list of rows. Takes O(n³) time.
///
/// ```
/// let x = tejun_knowledge::statistics::solve(vec![vec![0.0, 2.0], vec![1.0, 1.0]], vec![4.0, 5.0]);
/// assert_eq!(x, Some(vec![3.0, 2.0]));
/// ```
pub fn solve(matrix: Vec<Vec<f64>>, right: Vec<f64>) -> Option<Vec<f64>> {
    let columns = right.into_iter().map(|value| vec![value]).collect();
    Some(eliminate(matrix, columns)?.into_iter().map(|row| row[0]).collect())
}

/// The inverse of a square matrix; `None` if it is singular.
///
/// ```
/// let inverse = tejun_knowledge::statistics::invert(vec![vec![2.0, 0.0], vec![0.0, 4.0]]);
/// assert_eq!(inverse, Some(vec![vec![0.5, 0.0], vec![0.0, 0.25]]));
/// ```
pub fn invert(matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let identity = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    eliminate(matrix, identity)
}

/// Gauss-Jordan elimination with the largest pivot of each column; turns `right` into the solution.
fn eliminate(mut matrix: Vec<Vec<f64>>, mut right: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()))?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let lead = matrix[column][column];
        if lead.is_nan() || lead.abs() < SINGULAR {
            return None;
        }
        for cell in matrix[column].iter_mut().chain(&mut right[column]) {
            *cell /= lead;
        }
        let (lead_row, lead_right) = (matrix[column].clone(), right[column].clone());
        for row in (0..n).filter(|row| *row != column) {
            let factor = matrix[row][column];
            matrix[row].iter_mut().zip(&lead_row).for_each(|(cell, lead)| *cell -= factor * lead);
            right[row].iter_mut().zip(&lead_right).for_each(|(cell, lead)| *cell -= factor * lead);
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn times(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
        matrix.iter().map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
    }

    #[test]
    fn singular_matrices_have_no_solution() {
        assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![1.0, 1.0]), None);
        assert_eq!(invert(vec![vec![f64::NAN]]), None);
        assert_eq!(solve(Vec::new(), Vec::new()), Some(Vec::new()));
    }

    proptest! {
        #[test]
        fn solutions_fulfill_the_equations(cells in proptest::collection::vec(-1.0f64..1.0, 16), right in proptest::collection::vec(-1.0f64..1.0, 4)) {
            let mut matrix: Vec<Vec<f64>> = cells.chunks(4).map(<[f64]>::to_vec).collect();
            // A dominant diagonal keeps the matrix regular.
            (0..4).for_each(|i| matrix[i][i] += 5.0);
            let x = solve(matrix.clone(), right.clone()).expect("a regular matrix");
            prop_assert!(times(&matrix, &x).iter().zip(&right).all(|(a, b)| (a - b).abs() < 1e-9));
            let inverse = invert(matrix).expect("a regular matrix");
            prop_assert!(times(&inverse, &right).iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }
}
