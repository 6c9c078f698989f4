import { wellFormedJson } from '../../../shared/model/basics/well-formed'

/** JSON that is written as it is: parsed and written again, numbers beyond 2^53 would lose digits. */
export class JsonText {
  /** One value, in one line. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Writes compact JSON like `wellFormedJson`, with the texts in it as they are. For records of a session, which are nested a few levels. */
export function sessionJson(value: unknown): string {
  if (value instanceof JsonText) return value.text
  if (Array.isArray(value)) return `[${value.map(sessionJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return wellFormedJson(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields.map(([key, field]) => `${wellFormedJson(key)}:${sessionJson(field)}`).join(',')}}`
}
