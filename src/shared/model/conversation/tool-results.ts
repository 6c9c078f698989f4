import type { Entry } from './entry'

/** Returns true where a result is a failure, by its metadata or, without one, by its first word. */
export function isFailedResult(result: Pick<Entry, 'content' | 'metadata'>): boolean {
  const mark = result.metadata?.is_error ?? result.metadata?.error
  return mark === undefined ? /^\s*error\b/i.test(result.content.slice(0, 80)) : mark !== false
}
