import { AppError } from '../../../shared/model/basics/errors'

/**
 * Function that prints a page in HTML, which it takes once, as a PDF, without running or loading anything. Throws what the page throws, the
 * signal's reason, or an AppError `io` where it cannot be printed.
 */
export type PrintPage = (page: AsyncIterable<string>, signal: AbortSignal) => Promise<Uint8Array>

/** Some 3,000 pages, which take minutes. In UTF-16 units, without pictures. */
export const mostPrintedText = 16 * 1024 ** 2

/** Of the whole page: pictures are text in it. In UTF-16 units. */
const mostPrintedPage = 128 * 1024 ** 2

/**
 * Prints a page; yields the file.
 *
 * @param print undefined where nothing prints
 * @throws AppError `bad-argument` where nothing prints, `io` where the page is larger than what is printed: others may not be; as `print` does
 */
export async function* printedPieces(
  page: AsyncIterable<string | Uint8Array>,
  print: PrintPage | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (print === undefined)
    throw new AppError(
      'bad-argument',
      'A PDF is made by Skein’s window: choose PDF in its export dialog. The format "html" has the page of which it is made.',
    )
  yield await print(limited(page), signal)
}

async function* limited(page: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  let [text, all] = [0, 0]
  for await (const piece of page) {
    const words = typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8')
    all += words.length
    text += words.replace(/ src="data:[^"]*"/g, '').length
    if (text > mostPrintedText || all > mostPrintedPage) throw tooLarge(text > mostPrintedText)
    yield words
  }
}

function tooLarge(isText: boolean): AppError {
  const [what, most] = isText ? ['text', mostPrintedText] : ['pictures', mostPrintedPage]
  return new AppError(
    'io',
    `No PDF was made: its pages would have more than ${most / 1024 ** 2} MB of ${what}, the most that is printed. Export a part of the conversation, or choose HTML.`,
  )
}
