import { isNewerVersion } from '../../../main/readers/known/versions'
import type { SourceDrift, SourceDriftName } from '../../../shared/model/drift/drift'

/** Joins what is new in one system's histories, of several libraries, as several homes are; undefined for none. */
export function joinedDrift(drifts: readonly SourceDrift[]): SourceDrift | undefined {
  const [first, ...others] = drifts
  return first === undefined ? undefined : others.reduce(joined, first)
}

function joined(one: SourceDrift, other: SourceDrift): SourceDrift {
  return {
    ...one,
    checked: one.checked + other.checked,
    unchecked: one.unchecked + other.unchecked,
    changed: one.changed + other.changed,
    names: joinedNames(one.names, other.names),
    isCut: one.isCut || other.isCut,
    newer: newest(one.newer, other.newer),
  }
}

function joinedNames(
  names: readonly SourceDriftName[],
  others: readonly SourceDriftName[],
): SourceDriftName[] {
  const all = new Map<string, SourceDriftName>()
  for (const name of [...names, ...others]) {
    const id = `${name.what} ${name.name}`
    const known = all.get(id)
    const lines = name.lines + (known?.lines ?? 0)
    const conversations = name.conversations + (known?.conversations ?? 0)
    all.set(id, { ...(known ?? name), lines, conversations })
  }
  return [...all.values()].sort((a, b) => b.conversations - a.conversations)
}

function newest(one: SourceDrift['newer'], other: SourceDrift['newer']): SourceDrift['newer'] {
  if (one === null || other === null) return one ?? other
  const conversations = one.conversations + other.conversations
  return { ...(isNewerVersion(other.version, one.version) ? other : one), conversations }
}
