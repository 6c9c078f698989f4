;; Case-insensitive search in bytes, 64 at a time, and what else a scan asks of bytes. Memory is imported: its first page
;; holds needles and their masks, and what is searched begins behind it. `npm run wasm` builds it into byte-scan-module.ts.
(module
  (import "e" "m" (memory 1))
  ;; find(from, end, needle, n, i, j): where the needle begins in [from, end), or -1.
  ;; The needle's n bytes are at needle, and its masks 1024 behind: 0x20 beside letters, which are in lower case, else 0.
  ;; i and j are the places in it of its two rarest bytes. May read 64 + n bytes past the end.
  (func (export "find") (param $p i32) (param $end i32) (param $needle i32) (param $n i32) (param $i i32) (param $j i32) (result i32)
    (local $last i32) (local $bits i32) (local $at i32) (local $k i32) (local $base i32)
    (local $ci v128) (local $cj v128) (local $mi v128) (local $mj v128)
    (local $e0 v128) (local $e1 v128) (local $e2 v128) (local $e3 v128)
    (local.set $last (i32.sub (local.get $end) (local.get $n)))
    (local.set $ci (i8x16.splat (i32.load8_u (i32.add (local.get $needle) (local.get $i)))))
    (local.set $cj (i8x16.splat (i32.load8_u (i32.add (local.get $needle) (local.get $j)))))
    (local.set $mi (i8x16.splat (i32.load8_u offset=1024 (i32.add (local.get $needle) (local.get $i)))))
    (local.set $mj (i8x16.splat (i32.load8_u offset=1024 (i32.add (local.get $needle) (local.get $j)))))
    (block $none
      (loop $next
        (br_if $none (i32.gt_s (local.get $p) (local.get $last)))
        (local.set $e0 (v128.and
          (i8x16.eq (v128.or (v128.load (i32.add (local.get $p) (local.get $i))) (local.get $mi)) (local.get $ci))
          (i8x16.eq (v128.or (v128.load (i32.add (local.get $p) (local.get $j))) (local.get $mj)) (local.get $cj))))
        (local.set $e1 (v128.and
          (i8x16.eq (v128.or (v128.load offset=16 (i32.add (local.get $p) (local.get $i))) (local.get $mi)) (local.get $ci))
          (i8x16.eq (v128.or (v128.load offset=16 (i32.add (local.get $p) (local.get $j))) (local.get $mj)) (local.get $cj))))
        (local.set $e2 (v128.and
          (i8x16.eq (v128.or (v128.load offset=32 (i32.add (local.get $p) (local.get $i))) (local.get $mi)) (local.get $ci))
          (i8x16.eq (v128.or (v128.load offset=32 (i32.add (local.get $p) (local.get $j))) (local.get $mj)) (local.get $cj))))
        (local.set $e3 (v128.and
          (i8x16.eq (v128.or (v128.load offset=48 (i32.add (local.get $p) (local.get $i))) (local.get $mi)) (local.get $ci))
          (i8x16.eq (v128.or (v128.load offset=48 (i32.add (local.get $p) (local.get $j))) (local.get $mj)) (local.get $cj))))
        (if (v128.any_true (v128.or (v128.or (local.get $e0) (local.get $e1)) (v128.or (local.get $e2) (local.get $e3))))
          (then
            (local.set $base (local.get $p))
            (loop $quarter
              (local.set $bits (i8x16.bitmask (local.get $e0)))
              (block $noMore
                (loop $candidate
                  (br_if $noMore (i32.eqz (local.get $bits)))
                  (local.set $at (i32.add (local.get $base) (i32.ctz (local.get $bits))))
                  (br_if $none (i32.gt_s (local.get $at) (local.get $last)))
                  (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
                  (local.set $k (i32.const 0))
                  (loop $verify
                    (if (i32.eq (local.get $k) (local.get $n)) (then (return (local.get $at))))
                    (br_if $candidate (i32.ne
                      (i32.or
                        (i32.load8_u (i32.add (local.get $at) (local.get $k)))
                        (i32.load8_u offset=1024 (i32.add (local.get $needle) (local.get $k))))
                      (i32.load8_u (i32.add (local.get $needle) (local.get $k)))))
                    (local.set $k (i32.add (local.get $k) (i32.const 1)))
                    (br $verify))))
              (local.set $e0 (local.get $e1)) (local.set $e1 (local.get $e2)) (local.set $e2 (local.get $e3))
              (local.set $base (i32.add (local.get $base) (i32.const 16)))
              (br_if $quarter (i32.lt_s (local.get $base) (i32.add (local.get $p) (i32.const 64)))))))
        (local.set $p (i32.add (local.get $p) (i32.const 64)))
        (br $next)))
    (i32.const -1))
  ;; count(from, end, byte): how often a byte stands in [from, end).
  (func (export "count") (param $p i32) (param $end i32) (param $byte i32) (result i32)
    (local $sum i32) (local $c v128)
    (local.set $c (i8x16.splat (local.get $byte)))
    (block $rest (loop $next
      (br_if $rest (i32.gt_s (i32.add (local.get $p) (i32.const 16)) (local.get $end)))
      (local.set $sum (i32.add (local.get $sum) (i32.popcnt (i8x16.bitmask (i8x16.eq (v128.load (local.get $p)) (local.get $c))))))
      (local.set $p (i32.add (local.get $p) (i32.const 16)))
      (br $next)))
    (block $done (loop $one
      (br_if $done (i32.ge_s (local.get $p) (local.get $end)))
      (local.set $sum (i32.add (local.get $sum) (i32.eq (i32.load8_u (local.get $p)) (local.get $byte))))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (br $one)))
    (local.get $sum))
  ;; suspect(from, end): the first byte that is not ASCII, or backslash before "u"; -1 where there is none.
  (func (export "suspect") (param $p i32) (param $end i32) (result i32)
    (local $bits i32) (local $at i32) (local $b v128) (local $u v128)
    (local.set $b (i8x16.splat (i32.const 0x5c)))
    (local.set $u (i8x16.splat (i32.const 0x75)))
    (block $none (loop $chunk
      (br_if $none (i32.ge_s (local.get $p) (local.get $end)))
      (local.set $bits (i8x16.bitmask (v128.or
        (v128.load (local.get $p))
        (v128.and
          (i8x16.eq (v128.load (local.get $p)) (local.get $b))
          (i8x16.eq (v128.load offset=1 (local.get $p)) (local.get $u))))))
      (if (local.get $bits) (then
        (local.set $at (i32.add (local.get $p) (i32.ctz (local.get $bits))))
        (return (select (local.get $at) (i32.const -1) (i32.lt_s (local.get $at) (local.get $end))))))
      (local.set $p (i32.add (local.get $p) (i32.const 16)))
      (br $chunk)))
    (i32.const -1)))
