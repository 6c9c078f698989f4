/** The id of the format that presents sessions of a database as files of lines. */
export const sessionFormat = 'opencode'

const callPrefix = '.call-of:'
const beginningPrefix = '.beginning-of:'

/** Returns the name of the record file that names the tool call which began a session, in its parent. */
export function callNameOf(session: string): string {
  return `${callPrefix}${session}`
}

/** Returns the session that such a name is of; undefined for any other name. */
export function sessionOfCallName(name: string): string | undefined {
  return name.startsWith(callPrefix) ? name.slice(callPrefix.length) : undefined
}

/** Returns the name of the record file that has the first lines of a session. */
export function beginningNameOf(session: string): string {
  return `${beginningPrefix}${session}`
}

/** Returns the session that such a name is of; undefined for any other name. */
export function sessionOfBeginningName(name: string): string | undefined {
  return name.startsWith(beginningPrefix) ? name.slice(beginningPrefix.length) : undefined
}
