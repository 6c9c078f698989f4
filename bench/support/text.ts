import type { Random } from './random'

const onsets = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'f',
  'fl',
  'g',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pr',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
  '',
] as const
const vowels = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'ou', 'y'] as const
const codas = ['', '', 'n', 'r', 's', 't', 'l', 'nd', 'ck', 'm', 'st', 'ng'] as const
const endings = ['.', '.', '.', '?', ':', ';', ' …', '!'] as const
const code = [
  'const',
  'return',
  'if',
  'await',
  '=>',
  '===',
  '{',
  '}',
  '();',
  'import',
  'def',
  'select',
  '--',
  '//',
] as const
const ideographs = 0x4e00

const vocabularySize = 20_000

/** Writes text as varied as real histories: rare words stand beside common ones, with code, numbers, hashes and CJK. */
export interface Writer {
  /** A text of about this many characters. */
  text(characters: number): string
}

export function createWriter(random: Random): Writer {
  const vocabulary = Array.from({ length: vocabularySize }, () => makeWord(random))
  // Zipf's law, roughly: the nth word is 1/n as common as the first.
  const word = () => vocabulary[Math.floor(vocabularySize ** random.next()) - 1] ?? 'the'
  const piece = (): string => {
    const kind = random.next()
    if (kind < 0.86) return word()
    if (kind < 0.92) return random.pick(code)
    if (kind < 0.95) return String(random.below(100_000))
    if (kind < 0.97) return random.below(2 ** 32).toString(16)
    if (kind < 0.985) return `${word()}/${word()}_${word()}.ts:${random.below(900)}`
    return String.fromCharCode(...Array.from({ length: 6 }, () => ideographs + random.below(3000)))
  }
  return {
    text: (characters) => {
      let text = ''
      while (text.length < characters) {
        const pieces = Array.from({ length: 4 + random.below(14) }, piece)
        text += `${pieces.join(' ')}${random.pick(endings)}${random.next() < 0.1 ? '\n\n' : ' '}`
      }
      return text.trimEnd()
    },
  }
}

function makeWord(random: Random): string {
  const syllables = 1 + random.below(3)
  return Array.from(
    { length: syllables },
    () => random.pick(onsets) + random.pick(vowels) + random.pick(codas),
  ).join('')
}
