import type { JsonObject } from '../../../shared/model/basics/json-object'
import { textIn, trimmedIn } from '../common/drafts'
import type { ListedHead } from '../common/rows/listed-conversations'
import { secondsOfUtc } from './times'

/** Returns what a list shows of a conversation, from its own line. */
export function logHead({ id, name, datetime_utc, firstAt, lastAt }: JsonObject): ListedHead {
  const last = typeof lastAt === 'number' ? lastAt : undefined
  return {
    id: textIn(id),
    title: trimmedIn(name) ?? '',
    project: null,
    createdAt: secondsOfUtc(datetime_utc) ?? (typeof firstAt === 'number' ? firstAt : undefined),
    updatedAt: last,
    model: undefined,
    lastAt: last,
  }
}
