import { countWithNoun, plural } from '../../../shared/model/basics/plural'
import type { FindingKind } from '../../../shared/model/checkup'
import type { Disk } from '../../disk/interface/disk'
import { countOddLabels } from '../registry/labels'
import { countOddTitles } from '../registry/titles'

/** Counts the items of a list that mean nothing to Skein, which leaves them as they are; 0 for a file that is no list of items. @throws DiskError */
export async function countOddItems(
  disk: Disk,
  { kind, path }: { readonly kind: FindingKind; readonly path: string },
): Promise<number> {
  if (kind === 'titles-damaged') return countOddTitles(disk, path)
  return kind === 'labels-damaged' ? countOddLabels(disk, path) : 0
}

/** Says that items mean nothing. */
export function oddItemsWords(count: number): string {
  return `${countWithNoun(count, 'item')} of it ${plural(count, 'means', 'mean')} nothing to this Skein, and ${plural(count, 'stays as it is', 'stay as they are')}.`
}
