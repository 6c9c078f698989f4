/** The kinds of values of a conversation, by the beginning of their names. */
export const valueKinds = { message: 'm:', response: 'r:' } as const
