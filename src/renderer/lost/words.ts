import type { LostAndFound, LostItem, LostKind } from '../../shared/model/lost'
import type { DamagedLine } from '../../shared/model/transcript'
import { count, counted } from '../ui/format'

/** Items of one kind under their head. */
export interface LostGroup {
  readonly kind: LostKind
  readonly title: string
  /** How much: "9 lines in 3 conversations". */
  readonly amount: string
  /** What this means for somebody who sees it for the first time. */
  readonly lead: string
  readonly items: readonly LostItem[]
}

const kinds: readonly (readonly [kind: LostKind, title: string, lead: string])[] = [
  ['unreadable', 'Cannot be read', 'They are on the disk, and reading them failed.'],
  [
    'damaged',
    'Damaged',
    'Lines and archives stay on the disk as they are. Each line is shown at its place, and all that stands around it.',
  ],
  [
    'unplaced',
    'In no conversation',
    'Lines of files that hold several conversations, and that none of them has.',
  ],
  [
    'gone',
    'Gone from the disk',
    'Their files were there, and are not any more. What is remembered of them stays in the list until you forget it.',
  ],
  ['noticed', 'Noticed', 'Something was not as it should be. All of it was read all the same.'],
]

/** The kinds that there are, the most pressing first. */
export function groupByKind(items: readonly LostItem[]): readonly LostGroup[] {
  return kinds.flatMap(([kind, title, lead]) => {
    const members = items.filter((item) => item.kind === kind)
    return members.length === 0
      ? []
      : [{ kind, title, lead, amount: amountOf(kind, members), items: members }]
  })
}

function amountOf(kind: LostKind, items: readonly LostItem[]): string {
  const lines = items.reduce((sum, item) => sum + item.lines, 0)
  if (kind === 'unplaced') return `${counted(lines, 'line')} in ${counted(items.length, 'file')}`
  const conversations = counted(items.length, 'conversation')
  return kind === 'damaged' && lines > 0
    ? `${counted(lines, 'line')} in ${conversations}`
    : conversations
}

/** What is wrong with an item: sentences. */
export function wrongOf({ kind, lines, words }: LostItem): readonly string[] {
  switch (kind) {
    case 'damaged':
      // Without lines it is an archive that is broken, and the words say how.
      if (lines === 0) return words
      return [
        lines === 1 ? '1 line is no entry.' : `${count(lines)} lines are no entries.`,
        ...words,
      ]
    case 'unplaced': {
      // Main tells reasons here: beginnings of sentences, not whole ones.
      const reasons = words.length === 0 ? '' : `: ${words.join('; ')}`
      return [
        lines === 1
          ? `1 line is in none of its conversations${reasons}.`
          : `${count(lines)} lines are in none of its conversations${reasons}.`,
      ]
    }
    case 'unreadable':
    case 'gone':
    case 'noticed':
      return words
  }
}

/** How many conversations were not looked through yet, and when they will be; undefined where all were. */
export function waitingWords({ counted: done, waiting, large }: LostAndFound): string | undefined {
  const all = counted(done + waiting + large, 'conversation')
  const sentences = [
    waiting === 0
      ? `${count(done)} of ${all} ${done === 1 ? 'was' : 'were'} looked through.`
      : `${count(waiting)} of ${all} ${waiting === 1 ? 'is' : 'are'} still being looked through.`,
    ...(large === 0 ? [] : [largeWords(large)]),
  ]
  return waiting + large === 0 ? undefined : sentences.join(' ')
}

function largeWords(large: number): string {
  return large === 1
    ? '1 large one is looked through when it is opened.'
    : `${count(large)} large ones are looked through when they are opened.`
}

/** The words of a list with nothing on it; sure of it only where all was looked through. */
export function nothingWords({ counted: done, waiting, large }: LostAndFound): string {
  const looked = `${counted(done, 'conversation')} looked through, 0 damaged lines.`
  return waiting + large === 0
    ? `Every line is where it belongs: ${looked}`
    : `Nothing so far: ${looked}`
}

/** A damaged line's name: its number, where it is known. */
export function lineTitle({ line }: Pick<DamagedLine, 'line'>): string {
  return line === undefined ? 'A line' : `Line ${count(line)}`
}

/** Items of a list are told apart by these. */
export function itemKey({ kind, key, source, place, title }: LostItem): string {
  return [kind, key ?? `${source} ${place} ${title}`].join(' ')
}
