/** Widths of texts in a canvas, each measured once by font. */
export interface TextWidths {
  /** @param style weight and size, such as `500 12px` */
  widthOf(text: string, style: string): number
  /** Returns the text, or as much of it as fits with an ellipsis; an empty text where `least` px are not there. */
  fitted(text: string, style: string, room: number, least: number): string
}

/** Most texts whose widths are kept. */
const mostKept = 20_000

/** Makes the widths of a font family; a new one is needed when the font changes. */
export function textWidths(font: string): TextWidths {
  const context = document.createElement('canvas').getContext('2d')
  const known = new Map<string, number>()

  function widthOf(text: string, style: string): number {
    const name = `${style}\n${text}`
    const width = known.get(name)
    if (width !== undefined) return width
    if (known.size >= mostKept) known.clear()
    if (context !== null) context.font = `${style} ${font}`
    const measured = context?.measureText(text).width ?? text.length * 7
    known.set(name, measured)
    return measured
  }

  return {
    widthOf,
    fitted(text, style, room, least) {
      const whole = widthOf(text, style)
      if (whole <= room) return text
      if (room < least) return ''
      let cut = Math.floor((text.length * room) / whole)
      while (cut > 0 && widthOf(`${text.slice(0, cut).trimEnd()}…`, style) > room) cut--
      return cut === 0 ? '' : `${wellCut(text, cut).trimEnd()}…`
    },
  }
}

/** Never between the halves of a character. */
function wellCut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
