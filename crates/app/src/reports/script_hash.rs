//! The hash by which a page's content security policy allows its one script: SHA-256 in base64.
//!
//! Written out here because pages need nothing else of a cryptography crate.

/// A script's source expression in a content security policy: `'sha256-…'`.
pub(crate) fn script_source(script: &str) -> String {
    format!("'sha256-{}'", base64(&sha256(script.as_bytes())))
}

/// SHA-256 as in FIPS 180-4.
fn sha256(message: &[u8]) -> [u8; 32] {
    let primes: Vec<u64> = (2..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0)).take(64).collect();
    let constants: Vec<u32> = primes.iter().map(|&prime| root_fraction(prime, 3)).collect();
    let mut state: Vec<u32> = primes[..8].iter().map(|&prime| root_fraction(prime, 2)).collect();
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64), 0);
    let n = padded.len();
    padded[n - 8..].copy_from_slice(&(8 * message.len() as u64).to_be_bytes());
    for block in padded.chunks_exact(64) {
        let mut words: Vec<u32> =
            block.chunks_exact(4).map(|b| u32::from_be_bytes(b.try_into().expect("four bytes"))).collect();
        for i in 16..64 {
            let (early, late) = (words[i - 15], words[i - 2]);
            let early = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
            let late = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
            words.push(words[i - 16].wrapping_add(early).wrapping_add(words[i - 7]).wrapping_add(late));
        }
        let mut s = state.clone();
        for (word, constant) in words.iter().zip(&constants) {
            let sum = s[4].rotate_right(6) ^ s[4].rotate_right(11) ^ s[4].rotate_right(25);
            let choice = (s[4] & s[5]) ^ (!s[4] & s[6]);
            let first = [s[7], sum, choice, *constant, *word].into_iter().fold(0, u32::wrapping_add);
            let sum = s[0].rotate_right(2) ^ s[0].rotate_right(13) ^ s[0].rotate_right(22);
            let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(first);
            s[0] = first.wrapping_add(sum).wrapping_add(majority);
        }
        state.iter_mut().zip(s).for_each(|(sum, value)| *sum = sum.wrapping_add(value));
    }
    let mut digest = [0; 32];
    digest.chunks_exact_mut(4).zip(state).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_be_bytes()));
    digest
}

/// The first 32 bits after the binary point of a root, which is less than 8.
fn root_fraction(number: u64, degree: u32) -> u32 {
    // The largest integer whose power is at most the number times 2 to the 32 times the degree, bit by bit.
    let wanted = u128::from(number) << (32 * degree);
    let root = (0..35).rev().fold(0_u128, |root, bit| {
        let tried = root | (1 << bit);
        if tried.pow(degree) <= wanted { tried } else { root }
    });
    root as u32
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |group: &[u8]| {
        let bits = (0..3).fold(0, |bits, i| bits << 8 | u32::from(*group.get(i).unwrap_or(&0)));
        let digit = |i: usize| if i > group.len() { '=' } else { DIGITS[(bits >> (18 - 6 * i) & 63) as usize].into() };
        (0..4).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(digits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: &str) {
        let digest: String = sha256(message.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, expected);
    }

    #[test]
    fn the_examples_of_the_standard() {
        check("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        check("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        check(two_blocks, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
        check(&"a".repeat(1_000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
    }

    #[test]
    fn base64_is_padded() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (plain, expected) in cases {
            assert_eq!(base64(plain.as_bytes()), expected);
        }
        assert_eq!(script_source(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }
}
