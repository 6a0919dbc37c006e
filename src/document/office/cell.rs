//! Names of cells, such as `B7`.

/// Returns the name of a cell, such as `B7`; both numbers count from 0.
pub(super) fn cell_name(column: u64, row: u64) -> String {
    let mut letters = Vec::new();
    // Letters are digits from 1 to 26: there is no zero, so `AA` follows `Z`.
    let mut left = column + 1;
    while left > 0 {
        left -= 1;
        letters.push(char::from(b'A' + u8::try_from(left % 26).unwrap_or_default()));
        left /= 26;
    }
    let letters: String = letters.iter().rev().collect();
    format!("{letters}{}", row.saturating_add(1))
}

/// Returns the number of the column of a cell, from 1.
pub(super) fn column_number(cell: &str) -> u64 {
    let letters = cell.bytes().take_while(u8::is_ascii_alphabetic);
    letters.fold(0, |number, letter| {
        let digit = u64::from(letter.to_ascii_uppercase() - b'A') + 1;
        number.saturating_mul(26).saturating_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::{cell_name, column_number};

    #[test]
    fn names_of_cells() {
        let names = [(0, 0), (25, 8), (26, 0), (701, 1), (702, 2)];
        let names = names.map(|(column, row)| cell_name(column, row));
        assert_eq!(names, ["A1", "Z9", "AA1", "ZZ2", "AAA3"]);
        assert_eq!(["A1", "aa1", "ZZ2", "AAA3"].map(column_number), [1, 27, 702, 703]);
    }
}
