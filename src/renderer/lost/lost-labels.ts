import type { DamagedLine } from '../../shared/model/conversation/transcript'
import type { LostAndFound, LostItem, LostKind } from '../../shared/model/lost'
import { formatCount, formatQuantity } from '../ui/format/format'

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
  ['unreadable', 'Cannot be read', 'Their files exist, but reading them failed.'],
  [
    'damaged',
    'Damaged',
    'Damaged lines and archives stay on disk as they are. Each line is shown in place; everything around it can be read.',
  ],
  [
    'unplaced',
    'In no conversation',
    'Lines of files with several conversations that belong to none of them.',
  ],
  [
    'gone',
    'Missing from disk',
    'Their files are no longer there. They stay in the list until you forget them.',
  ],
  ['noticed', 'Warnings', 'Something was unexpected, but everything was read.'],
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
  if (kind === 'unplaced')
    return `${formatQuantity(lines, 'line')} in ${formatQuantity(items.length, 'file')}`
  const conversations = formatQuantity(items.length, 'conversation')
  return kind === 'damaged' && lines > 0
    ? `${formatQuantity(lines, 'line')} in ${conversations}`
    : conversations
}

/** What is wrong with an item: sentences. */
export function lostItemProblems({ kind, lines, words }: LostItem): readonly string[] {
  switch (kind) {
    case 'damaged':
      // Without lines it is an archive that is broken, and the words say how.
      if (lines === 0) return words
      return [
        lines === 1
          ? '1 line could not be read.'
          : `${formatCount(lines)} lines could not be read.`,
        ...words,
      ]
    case 'unplaced': {
      // Main tells reasons here: beginnings of sentences, not whole ones.
      const reasons = words.length === 0 ? '' : `: ${words.join('; ')}`
      return [
        lines === 1
          ? `1 line belongs to none of its conversations${reasons}.`
          : `${formatCount(lines)} lines belong to none of its conversations${reasons}.`,
      ]
    }
    case 'unreadable':
    case 'gone':
    case 'noticed':
      return words
  }
}

/** How many conversations were not looked through yet, and when they will be; undefined where all were. */
export function unscannedText({ counted: done, waiting, large }: LostAndFound): string | undefined {
  const all = formatQuantity(done + waiting + large, 'conversation')
  const sentences = [
    waiting === 0
      ? `${formatCount(done)} of ${all} checked.`
      : `${formatCount(waiting)} of ${all} still to check.`,
    ...(large === 0 ? [] : [largeWords(large)]),
  ]
  return waiting + large === 0 ? undefined : sentences.join(' ')
}

function largeWords(large: number): string {
  return large === 1
    ? '1 large one is checked when you open it.'
    : `${formatCount(large)} large ones are checked when you open them.`
}

/** The words of a list with nothing on it; sure of it only where all was looked through. */
export function emptyListText({ counted: done, waiting, large }: LostAndFound): string {
  const looked = `${formatQuantity(done, 'conversation')} checked, 0 damaged lines.`
  return waiting + large === 0 ? `No problems: ${looked}` : `Nothing so far: ${looked}`
}

/** A damaged line's name: its number, where it is known. */
export function damagedLineTitle({ line }: Pick<DamagedLine, 'line'>): string {
  return line === undefined ? 'A line' : `Line ${formatCount(line)}`
}

/** Items of a list are told apart by these. */
export function lostItemKey({ kind, key, source, place, title }: LostItem): string {
  return [kind, key ?? `${source} ${place} ${title}`].join(' ')
}
