//! A Markdown page as the blocks of commands in it, and the text around them.

use std::fs;
use std::path::Path;

/// A page: text, and blocks that stand between its pieces.
pub struct Page {
    /// One more than blocks; each ends with the line that opens the block behind it.
    texts: Vec<String>,
    pub blocks: Vec<Block>,
}

/// A fenced block of commands.
pub struct Block {
    pub need: Need,
    /// Whether the block shows what commands print.
    pub has_output: bool,
    pub examples: Vec<Example>,
}

/// What a block needs that the tests may not have.
pub enum Need {
    Nothing,
    /// A program, by its name.
    Program(String),
    /// A network, Python, …: the block is only counted.
    NotRun(String),
}

/// A command and what it prints.
pub struct Example {
    /// Its line in the page.
    pub line: usize,
    /// The command as it is written, lines of which end in `\`.
    pub command: String,
    pub output: Vec<String>,
}

impl Page {
    pub fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a page");
        let (mut texts, mut blocks) = (vec![String::new()], Vec::new());
        let mut lines = text.lines().enumerate();
        while let Some((_, line)) = lines.next() {
            let before = texts.last_mut().expect("a text");
            before.push_str(line);
            before.push('\n');
            if let Some(mut block) = Block::open(line) {
                for (number, line) in lines.by_ref().take_while(|(_, line)| *line != "```") {
                    block.push(number + 1, line);
                }
                blocks.push(block);
                texts.push("```\n".to_owned());
            } else if line.starts_with("```") {
                // Another language: commands in it are not ours.
                let mut is_open = true;
                while is_open && let Some((_, line)) = lines.next() {
                    is_open = line != "```";
                    texts.last_mut().expect("a text").extend([line, "\n"]);
                }
            }
        }
        Self { texts, blocks }
    }

    pub fn write(&self, path: &Path) {
        let mut text = String::new();
        for (before, block) in self.texts.iter().zip(&self.blocks) {
            text.push_str(before);
            text.push_str(&block.to_string());
        }
        text.push_str(self.texts.last().expect("a text"));
        if fs::read_to_string(path).expect("a page") != text {
            fs::write(path, text).expect("a page");
        }
    }
}

impl Block {
    /// The block that a line opens.
    fn open(line: &str) -> Option<Self> {
        let info = line.strip_prefix("```")?;
        let (language, need) = info.split_once(',').unwrap_or((info, ""));
        let has_output = match language {
            "console" => true,
            "sh" => false,
            _ => return None,
        };
        let need = match (need, need.strip_prefix("needs=")) {
            ("", _) => Need::Nothing,
            (_, Some(program)) => Need::Program(program.to_owned()),
            ("network" | "python" | "install" | "other", _) => Need::NotRun(need.to_owned()),
            _ => panic!("not known: {line}"),
        };
        Some(Self { need, has_output, examples: Vec::new() })
    }

    fn push(&mut self, number: usize, line: &str) {
        let start = if self.has_output { line.strip_prefix("$ ") } else { Some(line) };
        match (self.examples.last_mut(), start) {
            (Some(last), _) if last.command.ends_with('\\') && last.output.is_empty() => {
                last.command.push('\n');
                last.command.push_str(line);
            }
            (_, Some(command)) => self.examples.push(Example {
                line: number,
                command: command.to_owned(),
                output: Vec::new(),
            }),
            (Some(last), None) => last.output.push(line.to_owned()),
            (None, None) => panic!("line {number}: output before a command"),
        }
    }
}

impl std::fmt::Display for Block {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for example in &self.examples {
            let prompt = if self.has_output { "$ " } else { "" };
            writeln!(to, "{prompt}{}", example.command)?;
            for line in &example.output {
                writeln!(to, "{line}")?;
            }
        }
        Ok(())
    }
}
