import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { EntryId } from '../../../shared/model/conversation/entry'
import { type PartedWay, partWays, wholeWay } from '../../../shared/model/family/fork'
import { mergeTree } from '../../../shared/model/family/merge'
import type { Outline } from '../../../shared/model/family/outline'

/** The end of a way: an entry of a conversation, or where the conversation is now. */
export interface WayPoint {
  readonly key: LibraryKey
  readonly entry?: EntryId | undefined
}

/** A way parted at its fork with another one. */
export interface ForkedWay extends PartedWay {
  /** Entries that were known of the conversation; undefined where later ones are not on the way. */
  readonly openAfter: number | undefined
}

/** Answer to the question where two ways part. Plain data: it crosses to another thread. */
export type FamilyFork =
  | { readonly type: 'forked'; readonly left: ForkedWay; readonly right: ForkedWay }
  /** Both end at the same entry of one conversation. */
  | { readonly type: 'equal' }
  /** No outline of that conversation is known, or it has no such entry. */
  | {
      readonly type: 'missing'
      readonly point: WayPoint
      readonly what: 'conversation' | 'entry'
    }

/**
 * Parts two ways at the end of what they share; linear in the entries of both and of their relatives.
 *
 * @param family outlines of all relatives, both conversations among them; undefined where the two share nothing
 */
export function forkIn(
  points: readonly [WayPoint, WayPoint],
  outlines: readonly [Outline | undefined, Outline | undefined],
  family: readonly Outline[] | undefined,
): FamilyFork {
  const ends: { outline: Outline; entry: number | undefined }[] = []
  for (const [side, point] of points.entries()) {
    const outline = outlines[side]
    if (outline === undefined) return { type: 'missing', point, what: 'conversation' }
    const entry = point.entry === undefined ? undefined : outline.ids.lastIndexOf(point.entry)
    if (entry === -1) return { type: 'missing', point, what: 'entry' }
    ends.push({ outline, entry })
  }
  const [left, right] = ends
  if (left === undefined || right === undefined) throw new Error('two ways are parted')
  const ways =
    family === undefined
      ? { left: wholeWay(left.outline, left.entry), right: wholeWay(right.outline, right.entry) }
      : partWays(mergeTree(family), left, right)
  if (points[0].key === points[1].key && endOf(ways.left) === endOf(ways.right))
    return { type: 'equal' }
  return {
    type: 'forked',
    left: { ...ways.left, openAfter: openAfter(left) },
    right: { ...ways.right, openAfter: openAfter(right) },
  }
}

/** Returns the outline of a conversation. */
export function outlineWithKey(outlines: readonly Outline[], key: LibraryKey): Outline | undefined {
  return outlines.find((one) => libraryKeyOf(one.source, one.key) === key)
}

function endOf({ shared, after }: PartedWay): number | undefined {
  return after.at(-1) ?? shared.at(-1)
}

/** Returns the number of entries behind which new ones are of this side; with parents inside they may belong to another path. */
function openAfter(end: { readonly outline: Outline; readonly entry: number | undefined }) {
  const { outline, entry } = end
  return entry === undefined && outline.strands === undefined ? outline.ids.length : undefined
}
