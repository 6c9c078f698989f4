import { commandHelp, type Wishes } from './commands'

/** What the practice model says. The same question gets the same answer, always. */
export interface PracticeAnswer {
  readonly reasoning: string
  readonly content: string
}

/** Writes the answer to a message. Its first words say what it is: nobody must take it for an AI. */
export function practiceAnswer(message: string, wishes: Wishes, turns: number): PracticeAnswer {
  if (wishes.empty) return { reasoning: '', content: '' }
  const parts = [
    '**Practice model, no AI.** Skein itself writes this, on your machine, and nothing leaves it.',
    `You wrote, as message ${turns} of this conversation:`,
    quoted(message),
    ...(wishes.help ? [helpTable()] : wishes.code ? codeBlocks : standardParts),
    ...Array.from({ length: wishes.paragraphs }, (_, index) => paragraph(index + 1)),
  ]
  return { reasoning: wishes.reason ? reasoning : '', content: parts.join('\n\n') }
}

/** One piece of an endless answer. */
export function floodPiece(index: number): string {
  return `${paragraph(index + 1)}\n\n`
}

/** Cuts a text into the pieces that are sent: a word with the white space after it. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? []
}

// A question can be a whole file; its start is enough to see that it arrived.
const quoteLimit = 600

function quoted(message: string): string {
  const shown = message.length > quoteLimit ? `${message.slice(0, quoteLimit)} …` : message
  return shown
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

const standardParts: readonly string[] = [
  'What it is good for:',
  [
    '- see how an answer streams in, and stop it half-way',
    '- try what happens when a provider fails: write `/fail 429`, `/cut` or `/stall`',
    '- try Skein without a key and without a network',
  ].join('\n'),
  ['| write | and it |', '| --- | --- |', ...helpRows().slice(0, 5)].join('\n'),
  ['```ts', "const model = 'practice'", "console.log(model + ' answers, no AI')", '```'].join('\n'),
  'Write `/help` for everything that it can be told. For real answers choose a model in Settings.',
]

const codeBlocks: readonly string[] = [
  'Code in several languages:',
  [
    '```python',
    'def words(text: str) -> list[str]:',
    '    """Splits at white space."""',
    '    return text.split()',
    '```',
  ].join('\n'),
  [
    '```rust',
    'fn main() {',
    '    let total: u32 = (1..=10).sum();',
    '    println!("{total}");',
    '}',
    '```',
  ].join('\n'),
  ['```sh', "grep -rn 'practice' --include='*.md' . | head -20", '```'].join('\n'),
  ['```diff', '- const pace = 2', '+ const pace = 20', '```'].join('\n'),
]

const reasoning = [
  'The person writes to the practice model.',
  'There is nothing to think about here, since no AI is at work;',
  'these sentences only show how reasoning is folded away above an answer.',
].join(' ')

function helpTable(): string {
  return ['| write | and it |', '| --- | --- |', ...helpRows()].join('\n')
}

function helpRows(): readonly string[] {
  return commandHelp.map(({ usage, does }) => `| \`${usage}\` | ${does} |`)
}

function paragraph(number: number): string {
  return `Paragraph ${number}. The quick brown fox jumps over the lazy dog, and the words go on so that there is something to scroll.`
}
