import { cannotRepeat } from '../../shared/model/family/entry-identity'
import type { SearchableConversation } from '../../shared/model/search'
import type { DuplicateFinder, FoundMatch } from './duplicate-finder'

/** An entry in all the conversations that hold it: equal texts, each in a conversation of its own. */
export class Group {
  private readonly conversations = new Set<SearchableConversation>()
  private readonly found: FoundMatch[] = []
  private first: FoundMatch

  constructor(first: FoundMatch) {
    this.first = first
    this.add(first)
  }

  get members(): readonly FoundMatch[] {
    return this.found
  }

  /** The one in the oldest conversation: the others inherited it. */
  get oldest(): FoundMatch {
    return this.first
  }

  add(member: FoundMatch): void {
    this.found.push(member)
    this.conversations.add(member.range.conversation)
    if (isOlder(member, this.first)) this.first = member
  }

  holds(conversation: SearchableConversation): boolean {
    return this.conversations.has(conversation)
  }
}

/**
 * The matches of a search by entry: those that are the same entry in several conversations are one group.
 *
 * Ids that cannot repeat decide by themselves, inside their source. For others (`L7`, `call_0`) the duplicate finder
 * decides. Texts of one group are equal: a difference is never hidden.
 */
export class Groups {
  private readonly duplicates: DuplicateFinder | undefined
  private readonly list: Group[] = []
  private readonly byId = new Map<string, Group[]>()
  private readonly byText = new Map<string, TextBucket>()

  constructor(duplicates: DuplicateFinder | undefined) {
    this.duplicates = duplicates
  }

  /** All groups, in no order. */
  get all(): readonly Group[] {
    return this.list
  }

  /** The group that a match belongs to, and whether it is a new one. @param asks false to use ids alone, without the duplicate finder */
  async place(
    found: FoundMatch,
    asks: boolean,
  ): Promise<{ readonly group: Group; readonly isNew: boolean }> {
    const known = this.withId(found) ?? (asks ? await this.withText(found) : undefined)
    if (known !== undefined) {
      known.add(found)
      return { group: known, isNew: false }
    }
    const group = new Group(found)
    this.register(found, group)
    return { group, isNew: true }
  }

  private withId(found: FoundMatch): Group | undefined {
    const { conversation } = found.range
    const groups = this.byId.get(idName(found, this.duplicates))
    return groups?.find((group) => !group.holds(conversation))
  }

  private async withText(found: FoundMatch): Promise<Group | undefined> {
    const { duplicates } = this
    if (duplicates === undefined || !isUnproven(found)) return undefined
    const { conversation } = found.range
    const bucket = this.byText.get(textName(found))
    for (const group of (await bucket?.relatives(duplicates, found)) ?? [])
      if (!group.holds(conversation) && (await duplicates.isSame(found, group.oldest))) return group
    return undefined
  }

  private register(found: FoundMatch, group: Group): void {
    this.list.push(group)
    const id = idName(found, this.duplicates)
    const sameId = this.byId.get(id)
    if (sameId === undefined) this.byId.set(id, [group])
    else sameId.push(group)
    if (this.duplicates === undefined || !isUnproven(found)) return
    const text = textName(found)
    const bucket = this.byText.get(text) ?? new TextBucket()
    this.byText.set(text, bucket.add(group))
  }
}

/** Groups of one text, by the signs of their conversations once there is something to compare. */
class TextBucket {
  private readonly unsigned: Group[] = []
  private readonly bySign = new Map<string, Set<Group>>()
  private readonly conversations = new Set<SearchableConversation>()

  add(group: Group): this {
    this.unsigned.push(group)
    this.conversations.add(group.oldest.range.conversation)
    return this
  }

  /** Groups that a conversation may share. */
  async relatives(duplicates: DuplicateFinder, found: FoundMatch): Promise<readonly Group[]> {
    const { conversation } = found.range
    // A conversation that repeats a text is not compared with itself.
    if (this.conversations.size === 1 && this.conversations.has(conversation)) return []
    for (const group of this.unsigned.splice(0))
      for (const sign of await duplicates.signs(group.oldest)) {
        const groups = this.bySign.get(sign)
        if (groups === undefined) this.bySign.set(sign, new Set([group]))
        else groups.add(group)
      }
    const relatives = new Set<Group>()
    for (const sign of await duplicates.signs(found))
      for (const group of this.bySign.get(sign) ?? []) relatives.add(group)
    return [...relatives]
  }
}

function isUnproven({ match }: FoundMatch): boolean {
  return !cannotRepeat(match.entryId)
}

/** A line number means nothing outside its file. */
const lineId = /^L\d+(?:@[^#]*)?(?:#\d+)?$/

/** Without a duplicate finder equal ids of equal texts are believed, except line numbers. */
function idName({ match, range }: FoundMatch, duplicates: DuplicateFinder | undefined): string {
  const { entryId, field, fingerprint } = match
  const proves = cannotRepeat(entryId) || (duplicates === undefined && !lineId.test(entryId))
  const where = proves ? '' : `\n${range.of.path}`
  return `${range.conversation.source}\n${entryId}\n${field}\n${fingerprint}${where}`
}

/** Returns what copies have in common: another time, or another id where a source gives ids, is another entry. */
function textName({ match }: FoundMatch): string {
  const { field, fingerprint, timestamp, entryId } = match
  return `${field}\n${fingerprint}\n${timestamp}\n${lineId.test(entryId) ? '' : entryId}`
}

function isOlder(a: FoundMatch, b: FoundMatch): boolean {
  const [left, right] = [a.range.conversation, b.range.conversation]
  const [born, other] = [left.created ?? Infinity, right.created ?? Infinity]
  return born === other ? left.key < right.key : born < other
}
