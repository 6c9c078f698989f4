import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import type { ValuePosition } from '../../disk/json/json-accept'
import { recordLine } from '../common/content/export-line'
import { markdownOfHtml } from '../common/content/html-markdown'
import {
  jsonText,
  rawFieldsOf,
  type TimelessEntry,
  textIn,
  timeIn,
  withFields,
} from '../common/drafts'
import type { DocumentLine } from '../common/read-record-file'
import { recordOf } from '../common/record-values'
import { activityFields } from './known'

/** Words before a person's own, of accounts in English; of others the title is taken whole. */
const prompted =
  /^(?:Prompted with:|Asked (?:Gemini|Bard):|Prompted|Asked|Said|Branched|Answered)\s+/
/** Beginnings of activities that were no prompts. */
const done =
  /^(?:Created|Used|Added|Gave|Selected|Shared|Deleted|Viewed|Visited|Edited|Pinned|Renamed|Exported|Updated)\s/

/** Returns true for the header of activities of Gemini; in an account of another language the app has its name all the same. */
export function isGeminiHeader(header: unknown): boolean {
  return typeof header === 'string' && /gemini|bard/i.test(header)
}

/** Returns true for the title of an activity that was no prompt. */
export function isNoPrompt(title: string): boolean {
  return done.test(title)
}

/** Converts one line of a conversation's record file, an activity, to its meaning: what a person asked, and the answer. */
export function geminiAppsLine(
  value: unknown,
  _text: string,
  position: ValuePosition,
): DocumentLine | string {
  const line = recordOf(value)
  if (typeof line === 'string') return line
  if (position === 'inside-torn') return 'a part of a torn activity'
  if (!isJsonObject(line.activity)) return 'not an activity'
  return recordLine(activityEntries(line.activity), timeIn(line.activity.time), undefined)
}

/** The words of a person in an activity's title; undefined for what was no prompt. */
function promptOf({ title, safeHtmlItem }: JsonObject): string | undefined {
  const text = textIn(title)
  if (text === undefined || done.test(text)) return undefined
  const isKnown = prompted.test(text)
  const isAnswered = Array.isArray(safeHtmlItem) && safeHtmlItem.length > 0
  return isKnown || isAnswered ? text.replace(prompted, '').trim() : undefined
}

function activityEntries(activity: JsonObject): readonly TimelessEntry[] {
  const { title, safeHtmlItem } = activity
  const fields = rawFieldsOf(activity, activityFields)
  const prompt = promptOf(activity)
  const items = Array.isArray(safeHtmlItem) ? safeHtmlItem : []
  const answers = items.flatMap((item: unknown) =>
    isJsonObject(item) && typeof item.html === 'string' ? [markdownOfHtml(item.html)] : [],
  )
  const from = { from: 'gemini-apps', to: 'user' }
  const asked: TimelessEntry =
    prompt === undefined
      ? {
          ...from,
          content: jsonText(title),
          entry_type: 'message',
          role: 'system',
          metadata: { raw_type: 'activity' },
        }
      : { from: 'user', to: 'gemini-apps', content: prompt, entry_type: 'message', role: 'user' }
  const answer = answers.filter((text) => text !== '').join('\n\n')
  if (answer === '') return [withFields(asked, fields)]
  const said = { ...from, content: answer, entry_type: 'message', role: 'agent' } as const
  return [withFields(asked, fields), said]
}
