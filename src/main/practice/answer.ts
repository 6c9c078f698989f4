import { commandHelp, type WishedCall, type Wishes } from './commands'
import type { PracticeQuestion } from './request'

/** An answer of the practice model. The same question gets the same answer, always. */
export interface PracticeAnswer {
  readonly reasoning: string
  readonly content: string
  readonly calls: readonly WishedCall[]
}

/** Writes the answer to a question. Its first words say that it comes from no AI. */
export function practiceAnswer(question: PracticeQuestion, wishes: Wishes): PracticeAnswer {
  if (wishes.empty) return { reasoning: '', content: '', calls: [] }
  const thoughts = wishes.reason ? reasoning : ''
  if (question.offersTools && wishes.calls.length > 0 && question.rounds < wishes.rounds)
    return {
      reasoning: thoughts,
      content: wishes.silent ? '' : callWords(wishes.calls),
      calls: wishes.calls,
    }
  const parts = [
    '**Practice model, no AI.** Skein itself writes this, on your machine, and nothing leaves it.',
    `You wrote, as message ${question.turns} of this conversation:`,
    quoted(question.text),
    ...resultParts(question, wishes),
    ...(wishes.help ? [helpTable()] : wishes.code ? codeBlocks : standardParts),
    ...Array.from({ length: wishes.paragraphs }, (_, index) => paragraph(index + 1)),
  ]
  return { reasoning: thoughts, content: parts.join('\n\n'), calls: [] }
}

function callWords(calls: readonly WishedCall[]): string {
  return `**Practice model, no AI.** Calling ${calls.map(({ name }) => `\`${name}\``).join(', ')}.`
}

function resultParts(
  { results, offersTools }: PracticeQuestion,
  wishes: Wishes,
): readonly string[] {
  if (results.length > 0) return ['The tools gave:', ...results.map(quoted)]
  return wishes.calls.length > 0 && !offersTools
    ? ['No tool was offered with this request, so none was called.']
    : []
}

/** Returns one piece of an endless answer. */
export function floodPiece(index: number): string {
  return `${paragraph(index + 1)}\n\n`
}

/** Splits a text into the pieces that are sent: a word with the white space after it. */
export function splitIntoWords(text: string): readonly string[] {
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
  'Write `/help` for all commands. For real answers choose a model in Settings.',
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
