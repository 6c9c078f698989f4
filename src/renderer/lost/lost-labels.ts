import type { DamagedLine } from '../../shared/model/conversation/transcript'
import type { LostAndFound, LostItem, LostKind } from '../../shared/model/lost'
import { formatCount, formatQuantity } from '../ui/format/format'

/** Section of lost items of one kind. */
export interface LostGroup {
  readonly kind: LostKind
  readonly title: string
  /** Number of lines and conversations: "9 lines in 3 conversations". */
  readonly amount: string
  /** An explanation of the kind for newcomers. */
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

/** Groups lost items by kind, the most pressing kind first; kinds without items are left out. */
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

/** Returns sentences on what is wrong with an item. */
export function lostItemProblems({ kind, lines, words }: LostItem): readonly string[] {
  switch (kind) {
    case 'damaged':
      // Without lines it is a damaged archive, which `words` describe.
      if (lines === 0) return words
      return [
        lines === 1
          ? '1 line could not be read.'
          : `${formatCount(lines)} lines could not be read.`,
        ...words,
      ]
    case 'unplaced': {
      // Main gives reasons here: parts of a sentence, not whole ones.
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

/** Returns how many conversations are still to check, and when they will be; undefined where all were checked. */
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

/** Returns the text of an empty list; it says “No problems” only where all conversations were checked. */
export function emptyListText({ counted: done, waiting, large }: LostAndFound): string {
  const checkedText = `${formatQuantity(done, 'conversation')} checked, 0 damaged lines.`
  return waiting + large === 0 ? `No problems: ${checkedText}` : `Nothing so far: ${checkedText}`
}

/** Returns the title of a damaged line: its number, where it is known. */
export function damagedLineTitle({ line }: Pick<DamagedLine, 'line'>): string {
  return line === undefined ? 'A line' : `Line ${formatCount(line)}`
}

/** Returns a key that tells an item from the others of the list. */
export function lostItemKey({ kind, key, source, place, title }: LostItem): string {
  return [kind, key ?? `${source} ${place} ${title}`].join(' ')
}
