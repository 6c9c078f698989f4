import { type MemoryContext, summaryOf } from './memory-home'
import { answered, rowsOf, said } from './rows'

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
  ]
}
