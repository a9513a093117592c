//! The same layers, computed one number at a time: the twin of `inference`.

use crate::network::file::NetworkFile;
use crate::network::network::NetworkAnswer;
use crate::network::view::{N_PLANES, N_POINTS, View};

/// One row of 361 numbers per channel.
type Planes = Vec<Vec<f32>>;

fn conv(file: &NetworkFile, name: &str, input: &Planes) -> Planes {
    let weights = &file.weights[&format!("{name}.weight")];
    let bias = &file.weights[&format!("{name}.bias")].values;
    let (n_in, size) = (weights.shape[1], weights.shape[2]);
    assert_eq!(input.len(), n_in);
    let reach = size as i32 / 2;
    let at = |plane: &[f32], x: i32, y: i32| {
        if (0..19).contains(&x) && (0..19).contains(&y) { plane[(y * 19 + x) as usize] } else { 0.0 }
    };
    let mut output = vec![vec![0.0; N_POINTS]; bias.len()];
    for (out, plane) in output.iter_mut().enumerate() {
        for (point, value) in plane.iter_mut().enumerate() {
            let (x, y) = ((point % 19) as i32, (point / 19) as i32);
            let mut sum = f64::from(bias[out]);
            for (channel, plane) in input.iter().enumerate() {
                for dy in 0..size {
                    for dx in 0..size {
                        let weight = weights.values[((out * n_in + channel) * size + dy) * size + dx];
                        sum += f64::from(weight) * f64::from(at(plane, x + dx as i32 - reach, y + dy as i32 - reach));
                    }
                }
            }
            *value = sum as f32;
        }
    }
    output
}

fn dense(file: &NetworkFile, name: &str, input: &[f32]) -> Vec<f32> {
    let weights = &file.weights[&format!("{name}.weight")].values;
    let bias = &file.weights[&format!("{name}.bias")].values;
    let rows = weights.chunks(input.len()).zip(bias);
    rows.map(|(row, bias)| bias + row.iter().zip(input).map(|(w, x)| w * x).sum::<f32>()).collect()
}

fn relu(mut planes: Planes) -> Planes {
    planes.iter_mut().flatten().for_each(|value| *value = value.max(0.0));
    planes
}

fn pool(planes: &[Vec<f32>]) -> Vec<f32> {
    let means = planes.iter().map(|plane| plane.iter().sum::<f32>() / N_POINTS as f32);
    let maxima = planes.iter().map(|plane| plane.iter().copied().fold(f32::MIN, f32::max));
    means.chain(maxima).collect()
}

fn add_to_planes(planes: &mut Planes, values: &[f32]) {
    for (plane, value) in planes.iter_mut().zip(values) {
        plane.iter_mut().for_each(|x| *x += value);
    }
}

/// The answer of a network, slowly.
pub fn evaluate(file: &NetworkFile, view: &View) -> NetworkAnswer {
    let mut numbers = vec![0.0; N_PLANES * N_POINTS];
    view.write_planes(&mut numbers);
    let planes: Planes = numbers.chunks(N_POINTS).map(<[f32]>::to_vec).collect();
    let mut x = relu(conv(file, "enter", &planes));
    for block in 0..file.shape.n_blocks {
        let mut y = conv(file, &format!("blocks.{block}.first"), &x);
        let pooled = file.shape.pooled(block);
        if pooled > 0 {
            let board = relu(y.split_off(y.len() - pooled));
            add_to_planes(&mut y, &dense(file, &format!("blocks.{block}.spread"), &pool(&board)));
        }
        let y = conv(file, &format!("blocks.{block}.second"), &relu(y));
        let sum = x.into_iter().zip(y).map(|(a, b)| a.iter().zip(&b).map(|(a, b)| a + b).collect());
        x = relu(sum.collect());
    }
    let mut local = conv(file, "policy", &x);
    let board = pool(&relu(local.split_off(file.shape.head)));
    add_to_planes(&mut local, &dense(file, "policy_spread", &board));
    let points = conv(file, "policy_points", &relu(local));
    let passes = dense(file, "policy_pass", &board);
    let v = relu(conv(file, "value", &x));
    let mut hidden = dense(file, "value_hidden", &pool(&v));
    hidden.iter_mut().for_each(|value| *value = value.max(0.0));
    let values = dense(file, "value_out", &hidden);
    let moves = |kind: usize| points[kind].iter().copied().chain([passes[kind]]).collect();
    NetworkAnswer {
        human: moves(0),
        strong: moves(1),
        win_rate: 1.0 / (1.0 + f64::from(-values[0]).exp()),
        lead: f64::from(values[2]) * file.lead_scale,
        ownership: conv(file, "ownership", &v)[0].iter().map(|own| own.tanh()).collect(),
    }
}
