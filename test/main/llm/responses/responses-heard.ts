import { hear } from '../support/heard'

/** Hears an answer of the Responses API. */
export const hearResponse: (
  pieces: readonly (string | Uint8Array)[],
  type?: string,
  end?: 'closes' | 'breaks',
) => ReturnType<typeof hear> = (pieces, type, end) => hear(pieces, type, end, 'responses')
