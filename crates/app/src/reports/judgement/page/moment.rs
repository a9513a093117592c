//! A moment of a game: the board, the words, the candidates.

use tejun_games::GameRecord;
use tejun_knowledge::evaluation::MoveValue;
use tejun_knowledge::judging::JudgedMove;

use crate::reports::diagram::{Diagram, Mark, Numbering};
use crate::reports::judgement::page::{address, small_sign};
use crate::reports::judgement::words::{Label, percent, probability};
use crate::reports::judgement::{GameReport, N_BEST, line_moves};
use crate::reports::writing::{escape, grouped, inline_svg};

impl GameReport<'_> {
    /// The number and name of a move: `Move 57: Black Q10`.
    pub(crate) fn heading(&self, judged: &JudgedMove) -> String {
        let name = self.name(judged.played.point);
        self.phrases().heading(judged.index + 1, judged.played.color, &name)
    }

    pub(crate) fn moment(&self, judged: &JudgedMove) -> String {
        let address = address(judged);
        let verdict = self.phrases().verdict(judged.verdict);
        let words: String = self.sentences(judged).iter().map(|line| format!("<p>{}</p>\n", escape(line))).collect();
        format!(
            "<article id=\"{address}\">\n<h3><a href=\"#{address}\">{}</a> \
             <b class=\"verdict {}\">{}{verdict}</b></h3>\n\
             <div class=\"moment\">\n<figure class=\"diagram\">\n{}\
             <figcaption>{}</figcaption>\n</figure>\n<div>\n{words}{}</div>\n</div>\n</article>\n",
            escape(&self.heading(judged)),
            judged.verdict.name(),
            small_sign(judged.verdict),
            inline_svg(&self.diagram(judged).to_svg()),
            self.diagram_key(judged),
            self.candidates(judged),
        )
    }

    /// The position before the move, with the move marked and the search's line numbered.
    fn diagram(&self, judged: &JudgedMove) -> Diagram {
        let before = GameRecord { moves: self.record.moves[..judged.index].to_vec(), ..self.record.clone() };
        let mut diagram = Diagram::of_game(&before, Numbering::none()).with_title(&self.heading(judged));
        if let Some(last) = before.moves.last().and_then(|m| m.point) {
            diagram = diagram.with_last_move(last);
        }
        if let Some(point) = judged.played.point {
            diagram = diagram.with_mark(point, Mark::Triangle);
        }
        let line = judged.best().into_iter().flat_map(|value| line_moves(value, judged.played.color));
        line.zip(1..).fold(diagram, |diagram, (m, number)| match m.point {
            Some(point) => diagram.with_numbered(m.color, point, number),
            None => diagram.with_pass(m.color, number),
        })
    }

    fn diagram_key(&self, judged: &JudgedMove) -> String {
        let played = escape(&self.name(judged.played.point));
        let label = self.label(Label::Played);
        let Some(value) = judged.best() else { return format!("△ {label} {played}") };
        let n_moves = line_moves(value, judged.played.color).count();
        let numbers = if n_moves == 1 { "1".to_string() } else { format!("1–{n_moves}") };
        let preferred = self.label(Label::Preferred);
        if value.point == judged.played.point {
            format!("1 {label} {played} · {numbers} {preferred}")
        } else {
            format!("△ {label} {played} · {numbers} {preferred}")
        }
    }

    /// The best candidates, and the move played if it is not among them.
    fn candidates(&self, judged: &JudgedMove) -> String {
        let Some(evaluation) = &judged.evaluation else { return String::new() };
        let is_played = |value: &MoveValue| value.point == judged.played.point;
        let best = evaluation.moves.iter().take(N_BEST);
        let played = evaluation.moves.iter().skip(N_BEST).find(|value| is_played(value));
        let played_word = format!(" <small>{}</small>", self.label(Label::Played));
        let share = |share: Option<f64>| share.map_or("–".to_string(), percent);
        let row = |value: &MoveValue| {
            let line = if value.line.is_empty() { std::slice::from_ref(&value.point) } else { &value.line[..] };
            let line: Vec<String> = line.iter().skip(1).take(4).map(|&point| self.name(point)).collect();
            format!(
                "<tr{}><td>{}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                if is_played(value) { " class=\"played\"" } else { "" },
                escape(&self.name(value.point)),
                if is_played(value) { &played_word[..] } else { "" },
                grouped(&value.visits.to_string()),
                share(self.rate_of_candidate(judged, value)),
                value.prior.map_or("–".to_string(), probability),
                escape(&line.join(" ")),
            )
        };
        let rows: String = best.chain(played).map(row).collect();
        let head = [
            self.label(Label::Candidate).to_string(),
            self.label(Label::Visits).to_string(),
            self.phrases().rate_of(judged.played.color),
            self.label(Label::Expected).to_string(),
            self.label(Label::Line).to_string(),
        ];
        let head: String = head.iter().map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
        format!("<div class=\"scroll\"><table class=\"rows numbers\">\n<tr>{head}</tr>\n{rows}</table></div>\n")
    }
}
