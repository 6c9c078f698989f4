/**
 * The commands of the practice model, which a person writes in their last message. This table is also the answer to
 * `/help`.
 */
export const commandHelp: readonly { readonly usage: string; readonly does: string }[] = [
  {
    usage: '/fail 401',
    does: 'refuses with that status (400 to 599), in the shape of a real provider',
  },
  { usage: '/fail context', does: 'refuses a conversation as too long' },
  { usage: '/fail html', does: 'answers with the HTML page of a broken gateway' },
  { usage: '/fail page', does: 'answers 200 with a web page instead of a stream' },
  { usage: '/fail stream', does: 'sends an error inside the stream, after a few words' },
  { usage: '/retry 2', does: 'fails twice with 503, then answers' },
  { usage: '/stall', does: 'never answers' },
  { usage: '/stall 20', does: 'falls silent after 20 words' },
  { usage: '/cut', does: 'closes the connection after 8 words' },
  { usage: '/cut 20', does: 'closes the connection after 20 words' },
  { usage: '/garbage', does: 'sends a piece that is not JSON, after a few words' },
  { usage: '/flood', does: 'answers endlessly, as fast as the answer is read' },
  { usage: '/empty', does: 'returns an empty answer' },
  { usage: '/long 50', does: 'adds 50 paragraphs' },
  {
    usage: '/tool list_files {}',
    does: 'calls that tool with these arguments; several such lines make several calls at once',
  },
  { usage: '/again 3', does: 'makes the calls in three rounds; without a number, endlessly' },
  { usage: '/silent', does: 'writes no text with the calls' },
  { usage: '/reason', does: 'thinks aloud before it answers' },
  { usage: '/code', does: 'answers with code in several languages' },
  { usage: '/slow', does: 'two words a second' },
  { usage: '/fast', does: 'no pause between the words' },
  { usage: '/help', does: 'this table' },
]

/** A bad end of a stream, after so many words. */
export interface Mishap {
  readonly kind: 'stall' | 'cut' | 'garbage' | 'error'
  readonly afterWords: number
}

/** A call that a message asks for. */
export interface WishedCall {
  readonly name: string
  /** As written: need not be JSON. */
  readonly arguments: string
}

/** The commands in a message. */
export interface Wishes {
  /** Refuse instead of answering. */
  readonly fail?: number | 'context' | 'html' | 'page'
  /** Refuse the first so many requests with this message. */
  readonly retries: number
  readonly mishap?: Mishap
  readonly flood: boolean
  readonly empty: boolean
  readonly paragraphs: number
  readonly reason: boolean
  readonly code: boolean
  readonly help: boolean
  readonly calls: readonly WishedCall[]
  /** In how many rounds the calls are made; may be Infinity. */
  readonly rounds: number
  readonly silent: boolean
  readonly pace?: 'slow' | 'fast'
}

const mostParagraphs = 10_000
const mostRetries = 100
const fewWords = 8
/** A line of its own, with any text behind the name. */
const callLine = /^[ \t]*\/tool[ \t]+(\S+)(.*)$/gm

/** Reads the commands in a message. Words that are no command, or are inside others (`and/or`), mean nothing. */
export function readWishes(message: string): Wishes {
  const words = message.replace(callLine, '')
  const commands = new Map<string, string>()
  for (const [, name = '', argument = ''] of words.matchAll(
    /(?<![^\s])\/([a-z]+)(?:[ \t]+([0-9]+|context|html|page|stream))?(?![^\s])/g,
  ))
    commands.set(name, argument)
  const count = (name: string, otherwise: number) => {
    const argument = commands.get(name)
    return argument === undefined || !/^\d+$/.test(argument) ? otherwise : Number(argument)
  }
  const fail = commands.get('fail')
  const pace = commands.has('fast') ? 'fast' : commands.has('slow') ? 'slow' : undefined
  const mishap = mishapIn(commands, count)
  return {
    ...(fail === undefined || fail === 'stream' ? {} : { fail: failure(fail) }),
    retries: commands.has('retry') ? Math.min(count('retry', 1), mostRetries) : 0,
    ...(mishap === undefined ? {} : { mishap }),
    flood: commands.has('flood'),
    empty: commands.has('empty'),
    paragraphs: commands.has('long') ? Math.min(count('long', 20), mostParagraphs) : 0,
    reason: commands.has('reason'),
    code: commands.has('code'),
    help: commands.has('help'),
    calls: [...message.matchAll(callLine)].map(([, name = '', text = '']) => ({
      name,
      arguments: text.trim(),
    })),
    rounds: commands.has('again') ? count('again', Number.POSITIVE_INFINITY) : 1,
    silent: commands.has('silent'),
    ...(pace === undefined ? {} : { pace }),
  }
}

function failure(argument: string): number | 'context' | 'html' | 'page' {
  if (argument === 'context' || argument === 'html' || argument === 'page') return argument
  const status = Number(argument)
  return status >= 400 && status < 600 ? status : 500
}

function mishapIn(
  commands: ReadonlyMap<string, string>,
  count: (name: string, otherwise: number) => number,
): Mishap | undefined {
  if (commands.has('stall')) return { kind: 'stall', afterWords: count('stall', 0) }
  if (commands.has('cut')) return { kind: 'cut', afterWords: count('cut', fewWords) }
  if (commands.has('garbage')) return { kind: 'garbage', afterWords: count('garbage', fewWords) }
  if (commands.get('fail') === 'stream') return { kind: 'error', afterWords: fewWords }
  return undefined
}
