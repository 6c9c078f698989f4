/** The id of the format that presents sessions of a database as files of lines. */
export const sessionFormat = 'opencode'

const callPrefix = '.call-of:'
const beginningPrefix = '.beginning-of:'
const beginningName = /^\.beginning-of:(\d):(.*)$/s

/** Returns the name of the record file that names the tool call which began a session, in its parent. */
export function callNameOf(session: string): string {
  return `${callPrefix}${session}`
}

/** Returns the session that such a name is of; undefined for any other name. */
export function sessionOfCallName(name: string): string | undefined {
  return name.startsWith(callPrefix) ? name.slice(callPrefix.length) : undefined
}

/** The beginning of a session: its row and so many first messages. */
export interface SessionBegun {
  readonly session: string
  readonly messages: number
}

/** Returns the name of the record file that has the first lines of a session. */
export function beginningNameOf({ session, messages }: SessionBegun): string {
  return `${beginningPrefix}${messages}:${session}`
}

/** Returns the beginning that such a name is of; undefined for any other name. */
export function beginningOfName(name: string): SessionBegun | undefined {
  const [, messages, session] = beginningName.exec(name) ?? []
  return session === undefined ? undefined : { session, messages: Number(messages) }
}
