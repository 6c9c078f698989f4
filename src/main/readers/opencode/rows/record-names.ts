/** The id of the format that presents sessions of a database as files of lines. */
export const sessionFormat = 'opencode'

const callPrefix = '.call-of:'

/** Returns the name of the record file that names the tool call which began a session, in its parent. */
export function callNameOf(session: string): string {
  return `${callPrefix}${session}`
}

/** Returns the session that such a name is of; undefined for any other name. */
export function sessionOfCallName(name: string): string | undefined {
  return name.startsWith(callPrefix) ? name.slice(callPrefix.length) : undefined
}
