import type { FindingKind, HomeFinding } from '../../../shared/model/checkup'

interface FindingWords {
  readonly lost: string
  readonly byItself: string
  /** Null where no repair is certain. */
  readonly repair: string | null
}

const opensContext = 'Opens the conversation for writing once, which does it.'
const doneWhenOpened = 'The next opening for writing does it.'
const nothing = 'Nothing.'
const kept = 'Keeps the broken file under a new name, and writes a new one'

/** What each kind means, whatever its place. */
const words: Readonly<Record<FindingKind, FindingWords>> = {
  unreadable: {
    lost: 'Nothing yet: its content is unknown until the disk gives it.',
    byItself: 'Says that it cannot be read, and reads everything else.',
    repair: null,
  },
  'lines-damaged': {
    lost: 'What the damaged bytes held, unless an entry in them can still be read.',
    byItself: 'Shows each line at its place with its bytes, and every entry in it that is whole.',
    repair: null,
  },
  'partition-changed': {
    lost: 'Perhaps a few bytes: entries may say other things than they did.',
    byItself: 'Reads the file as it is now.',
    repair: null,
  },
  'seals-damaged': {
    lost: 'The proof that some archived partitions are unchanged; no line of theirs.',
    byItself: 'Seals every new partition.',
    repair: null,
  },
  'part-missing': {
    lost: 'The lines of that part, unless a backup has them.',
    byItself: 'Shows a gap at its place.',
    repair: null,
  },
  'lines-beside': {
    lost: nothing,
    byItself: `Reads these lines with the conversation. ${doneWhenOpened}`,
    repair: 'Appends these lines to the transcript; context.jsonl follows it from then on.',
  },
  'name-refused': {
    lost: 'Nothing, but neither chibi nor Skein shows it.',
    byItself: 'Leaves it alone.',
    repair: null,
  },
  'reading-odd': {
    lost: 'Nothing: every file stays as it is.',
    byItself: 'Says it where it reads them, and reads what it can.',
    repair: null,
  },
  'answer-interrupted': {
    lost: 'At most the last second of the answer.',
    byItself: 'Makes an entry of it, marked as interrupted, when the conversation is opened next.',
    repair: 'Appends the answer to the transcript, marked as interrupted.',
  },
  'compaction-unfinished': {
    lost: nothing,
    byItself: doneWhenOpened,
    repair: 'Writes the summary and the context window that the transcript has.',
  },
  'inbox-damaged': {
    lost: 'What the damaged bytes held, unless a message in them can still be read.',
    byItself: 'Keeps such lines in inbox.damaged.skein.jsonl when the messages are delivered.',
    repair: null,
  },
  'state-damaged': {
    lost: 'Nothing of a conversation: their folders are read. Times and limits of idle conversations may be.',
    byItself: 'Lists the folders. Keeps the broken file when a conversation is opened for writing.',
    repair: `${kept} with what can be read of it, and with every folder.`,
  },
  'flags-damaged': {
    lost: 'Perhaps which conversations are archived, and their former names.',
    byItself: 'Shows every conversation as not archived. Keeps the broken file at the next change.',
    repair: `${kept} with what can be read of it.`,
  },
  'titles-damaged': {
    lost: 'Titles, tags and pins that cannot be read any more.',
    byItself: 'Shows conversations by their names. Keeps the broken file at the next change.',
    repair: `${kept} with every title that is whole in it.`,
  },
  'labels-damaged': {
    lost: 'Labels that cannot be read any more.',
    byItself: 'Shows no labels. Keeps the broken file at the next change.',
    repair: `${kept} with every label that is whole in it.`,
  },
  'session-damaged': {
    lost: 'Perhaps which conversation was current.',
    byItself: 'Takes none as the current one. Keeps the broken file when another becomes current.',
    repair: `${kept} with the current conversation, if it can be read.`,
  },
  'settings-damaged': {
    lost: 'Nothing: the file is a text that a person can mend.',
    byItself: 'Says it where the setting counts, and goes on without.',
    repair: null,
  },
  'own-damaged': {
    lost: 'What the file held.',
    byItself: 'Goes on without, and keeps the broken file when it writes another one.',
    repair: null,
  },
  'open-to-others': {
    lost: 'Nothing, but other users of this computer may read it.',
    byItself: 'Leaves it as it is.',
    repair: 'Takes that permission away; what you may do with it stays.',
  },
  'meta-damaged': {
    lost: 'Perhaps when it was created, and which system prompt its last request had.',
    byItself: 'Goes on without, and leaves the file alone.',
    repair: null,
  },
  'manifest-damaged': {
    lost: nothing,
    byItself: `Reads the partitions by their names. ${doneWhenOpened}`,
    repair: `${kept} from the partitions.`,
  },
  'partition-unlisted': {
    lost: nothing,
    byItself: `Reads it at its place in time. ${doneWhenOpened}`,
    repair: 'Adds it to the manifest, with a seal.',
  },
  'rotation-unfinished': {
    lost: nothing,
    byItself: `Reads each line once. ${doneWhenOpened}`,
    repair: 'Ends the rotation: the second name of the file goes.',
  },
  'window-damaged': {
    lost: 'Nothing: the transcript has what the model is sent.',
    byItself: 'Builds it anew at the next summary or fresh start.',
    repair: 'Keeps the broken file under a new name, and builds a new one from the transcript.',
  },
  'context-missing': {
    lost: 'Its conversation, unless it was removed or moved on purpose.',
    byItself: 'Shows nothing of it; chibi stops listing it at its next start.',
    repair: null,
  },
  'context-unlisted': {
    lost: nothing,
    byItself: `Shows it all the same. ${doneWhenOpened}`,
    repair: opensContext,
  },
  'lock-blocked': {
    lost: 'Nothing, but nobody can write to this conversation.',
    byItself: 'Reads it, and refuses to write.',
    repair: null,
  },
  'lock-ahead': {
    lost: nothing,
    byItself: 'Takes it for held until its file is old enough.',
    repair: null,
  },
  'lock-left': {
    lost: nothing,
    byItself: 'Takes it over at the next opening for writing.',
    repair: 'Takes it over and gives it back.',
  },
  'claim-left': {
    lost: nothing,
    byItself: 'Clears it before the next change.',
    repair: 'Clears it.',
  },
  'cache-damaged': {
    lost: 'Nothing: it is made of what is on the disk.',
    byItself: 'Does not use it, and makes another one.',
    repair: 'Deletes it; Skein makes another one when it is needed.',
  },
  'temporary-left': {
    lost: nothing,
    byItself: 'Ignores it.',
    repair: null,
  },
}

/** The part of a finding that its kind does not say. */
export type FoundThere = Pick<HomeFinding, 'kind' | 'place' | 'happened'> &
  Partial<Pick<HomeFinding, 'context' | 'repair' | 'lost' | 'byItself'>>

/** Returns a finding with the words of its kind; those that are given count more. */
export function findingOf(found: FoundThere): HomeFinding {
  const { kind, place, happened, context = null } = found
  const { lost, byItself, repair } = words[kind]
  return {
    kind,
    place,
    context,
    happened,
    lost: found.lost ?? lost,
    byItself: found.byItself ?? byItself,
    repair: found.repair === undefined ? repair : found.repair,
  }
}
