//! The shell of every HTML page: head, shared style, and how the page was made.
//!
//! One file holds everything: it asks for nothing from elsewhere, and its
//! content security policy lets no browser do so. Equal pages have equal
//! bytes.

use crate::reports::script_hash::script_source;
use crate::reports::writing::escape;

/// A page without its shell.
///
/// What is called HTML is trusted; all other text is plain and gets escaped.
pub(crate) struct Html<'a> {
    /// The language as in `en`.
    pub(crate) language: &'a str,
    /// The title of the window.
    pub(crate) title: &'a str,
    /// Style that only pages of this kind need.
    pub(crate) style: &'a str,
    /// A script that the page can do without. The policy allows this one only, by its hash, or none at all.
    pub(crate) script: Option<&'a str>,
    /// HTML of the head of the page: the title and a few words.
    pub(crate) header: String,
    /// HTML of the content.
    pub(crate) main: String,
    /// The title of the table at the foot.
    pub(crate) made: &'a str,
    /// How the page was made: names and values.
    pub(crate) manifest: &'a [(String, String)],
}

/// The title of the table at the foot of English pages.
pub(crate) const MADE: &str = "How this page was made";

impl Html<'_> {
    /// The whole page.
    pub(crate) fn to_html(&self) -> String {
        let (script_policy, script) = match self.script {
            Some(script) => (
                format!("; script-src {}", script_source(&format!("\n{script}"))),
                format!("<script>\n{script}</script>\n"),
            ),
            None => (String::new(), String::new()),
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" \
             content=\"default-src 'none'; style-src 'unsafe-inline'{script_policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n\
             <header>\n{}</header>\n<main>\n{}</main>\n{}{script}</body>\n</html>\n",
            self.language,
            escape(self.title),
            include_str!("html.css"),
            self.style,
            self.header,
            self.main,
            self.footer(),
        )
    }

    fn footer(&self) -> String {
        if self.manifest.is_empty() {
            return String::new();
        }
        let row = |(name, value): &(String, String)| {
            format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(name), escape(value))
        };
        let rows: String = self.manifest.iter().map(row).collect();
        format!("<footer>\n<table>\n<caption>{}</caption>\n{rows}</table>\n</footer>\n", escape(self.made))
    }
}

/// Checks of pages for the tests of all reports.
#[cfg(test)]
pub(crate) mod checks {
    /// The page's body without its script, after checking that every element is closed in turn.
    #[track_caller]
    pub(crate) fn body(html: &str) -> &str {
        let (head, body) = html.split_once("</head>\n").expect("a head");
        assert!(head.starts_with("<!DOCTYPE html>\n<html lang=\""));
        let body = body.split_once("<script>").map_or(body, |(body, _)| body);
        let body = body.strip_suffix("</body>\n</html>\n").unwrap_or(body);
        let mut open = Vec::new();
        let tags = body.split('<').skip(1).map(|part| part.split('>').next().expect("a part has a start"));
        for tag in tags.filter(|tag| !tag.ends_with('/') && !tag.starts_with("input")) {
            match tag.strip_prefix('/') {
                Some(name) => assert_eq!(open.pop(), Some(name)),
                None => open.push(tag.split(' ').next().expect("a tag has a name")),
            }
        }
        assert_eq!(open, ["body"]);
        body
    }

    /// Fails if the page asks for anything from elsewhere.
    #[track_caller]
    pub(crate) fn fetches_nothing(html: &str) {
        assert!(html.contains("content=\"default-src 'none'; "));
        for part in ["://", "<link", "<img", "<iframe", "@import", "url(", " src="] {
            assert!(!html.contains(part), "{part}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page<'a>(script: Option<&'a str>, manifest: &'a [(String, String)]) -> Html<'a> {
        let (header, main) = ("<h1>t</h1>\n".to_string(), "<p>m</p>\n".to_string());
        Html { language: "en", title: "<t>", style: "", script, header, main, made: "made & done", manifest }
    }

    #[test]
    fn shell_is_escaped_and_closed() {
        let html = page(None, &[("a<b".to_string(), "\"c\"".to_string())]).to_html();
        assert!(html.contains("<title>&lt;t&gt;</title>"));
        let body = checks::body(&html);
        assert!(body.contains("<caption>made &amp; done</caption>"));
        assert!(body.contains("<tr><th scope=\"row\">a&lt;b</th><td>&quot;c&quot;</td></tr>"));
        checks::fetches_nothing(&html);
    }

    #[test]
    fn scripts_are_forbidden_unless_there_is_one() {
        let html = page(None, &[]).to_html();
        assert!(!html.contains("script") && !html.contains("<footer>"));
        let html = page(Some("f();\n"), &[]).to_html();
        // `printf '\nf();\n' | openssl dgst -sha256 -binary | base64`
        let hash = "ahM3JXcI3l5z9hISkxyxNQ4LeObCZuECswOhhXH/xLQ=";
        assert!(html.contains(&format!("'unsafe-inline'; script-src 'sha256-{hash}'\">")));
        assert!(html.contains("<script>\nf();\n</script>"));
    }
}
