import { type MemoryContext, summaryOf } from './memory-home'
import { answered, called, returned, rowsOf, said } from './rows'

const circle = drawing((on) => {
  on.fillStyle = '#35a'
  on.arc(160, 100, 80, 0, 2 * Math.PI)
  on.fill()
})
const square = drawing((on) => {
  on.fillStyle = '#a53'
  on.fillRect(40, 40, 240, 120)
})

/** Numbers that JavaScript would round, a key that comes twice, a long text and a long list. */
const counted = `{"id": 12345678901234567890, "price": 1.50, "id": 1e400, "kinds": {"red": null, "green": true},
"note": ${JSON.stringify('Rain fell. '.repeat(30))}, "list": [${Array.from({ length: 250 }, (_, n) => n).join(',')}]}`

const formulas = String.raw`Euler's identity is \(e^{i\pi} + 1 = 0\), and $a_1 \le b_1$ costs $5 or $6. A root: $\sqrt{x^2 + y^2}$.

The sum is
$$
\begin{aligned}
\sum_{k=1}^{n} k &= 1 + 2 + \dots + n \\
&= \frac{n(n+1)}{2}
\end{aligned}
$$
as was known.

- In a list: \[ \int_0^1 x^2\,dx = \frac{1}{3} \]
- A long one: $$${'a_{1} + b_{2} + '.repeat(30)}c = 0$$
- No TeX: $\frac{1}{$ and $\notacommand$
- Too deep: $$${'x^{'.repeat(150)}x${'}'.repeat(150)}$$

| n | value |
|---|---|
| 1 | $\binom{n}{k}$ |
`

/** A conversation for each kind of content that is drawn. */
export function kindsOfContent(): readonly MemoryContext[] {
  return [
    {
      summary: summaryOf('formulas'),
      rows: rowsOf([said('Is $a$ a formula?'), answered(formulas)]),
    },
    {
      summary: summaryOf('json'),
      rows: rowsOf([
        said('Count the pears.'),
        called('count', { of: 'pears' }, 'count'),
        returned('count', counted, 'count', { metadata: { is_error: true } }),
      ]),
    },
    {
      summary: summaryOf('arguments'),
      rows: rowsOf([
        said('Plan the beds.'),
        called(
          'plan_beds',
          {
            beds: [{ name: 'north', plants: ['pears', 'peas'] }],
            rules: { water: 'Rain fell. '.repeat(12) },
          },
          'plan',
        ),
        returned('plan_beds', 'Planned', 'plan', {
          wholeLength: 9000,
          metadata: { is_error: true },
        }),
      ]),
    },
    {
      summary: summaryOf('pictures'),
      rows: rowsOf([
        said(`What is this? ${circle}`),
        called('mcp__browser__screenshot', { page: 'https://pear.example' }, 'shot'),
        returned(
          'mcp__browser__screenshot',
          JSON.stringify([
            { type: 'text', text: 'Two pictures' },
            { type: 'image', data: base64Of(circle), mimeType: 'image/png' },
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: base64Of(square) },
            },
          ]),
          'shot',
          { metadata: { is_error: true } },
        ),
        answered(`A circle:\n\n![The circle](${circle})\n\nand no more.`),
      ]),
    },
  ]
}

/** A drawing of the page's own, so that no file is needed: its PNG as a data address. */
function drawing(draw: (on: CanvasRenderingContext2D) => void): string {
  const canvas = document.createElement('canvas')
  canvas.width = 320
  canvas.height = 200
  const on = canvas.getContext('2d')
  if (on !== null) draw(on)
  return canvas.toDataURL('image/png')
}

function base64Of(address: string): string {
  return address.slice(address.indexOf(',') + 1)
}
