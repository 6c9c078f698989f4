import { type LabelColor, labelColors } from '../../../shared/model/conversation/label'
import { heatSteps } from '../../../shared/model/map/heat'

/** Veil where the style sheet says none. */
const usualVeil = 0.66

/** Colours and fonts of the map, as the tokens of the window give them. */
export interface MapTheme {
  readonly page: string
  readonly focus: string
  readonly hover: string
  readonly border: string
  readonly failure: string
  readonly fill: string
  /** By letter of the side of a comparison: its fill, and the letter on it. */
  readonly sides: Readonly<Record<'A' | 'B', { readonly fill: string; readonly text: string }>>
  /** By colour of the lane: 0 for sub-agents, 1 for the open path, 2 to 6 for other branches. */
  readonly lanes: readonly string[]
  /** Of the open path, of other branches, of notes. */
  readonly texts: readonly [string, string, string]
  /** Of numbers of hits, and of the text on them. */
  readonly mark: string
  readonly onMark: string
  /** How much of the page's colour lies over what has no hit, from 0 to 1. */
  readonly veil: number
  /** By step of the heat, from 1. */
  readonly heat: readonly string[]
  readonly labels: Readonly<Record<LabelColor, string>>
  readonly font: string
}

/** Reads the theme; again where theme, contrast or zoom change. */
export function readTheme(element: Element): MapTheme {
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return {
    page: token('--bg-page'),
    focus: token('--focus'),
    hover: token('--line-3'),
    border: token('--line-2'),
    failure: token('--err'),
    fill: token('--bg-inset'),
    sides: {
      A: { fill: token('--side-a'), text: token('--side-a-text') },
      B: { fill: token('--side-b'), text: token('--side-b-text') },
    },
    lanes: [
      token('--lane-off'),
      ...Array.from({ length: 6 }, (_, colour) => token(`--lane-${colour + 1}`)),
    ],
    texts: [token('--text-1'), token('--text-2'), token('--text-3')],
    mark: token('--mark-on-bg'),
    onMark: token('--mark-on-text'),
    veil: Number(token('--map-veil')) || usualVeil,
    heat: Array.from({ length: heatSteps }, (_, step) => token(`--heat-${step + 1}`)),
    labels: Object.fromEntries(
      labelColors.map((color, i) => [color, token(`--label-${i + 1}`)]),
    ) as Record<LabelColor, string>, // every colour is listed
    font: style.fontFamily,
  }
}

/** Calls `changed` when theme, contrast or text zoom change; returns a function that stops it. */
export function followTheme(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, {
    attributes: true,
    attributeFilter: ['data-theme', 'data-contrast', 'style'],
  })
  return () => observer.disconnect()
}
