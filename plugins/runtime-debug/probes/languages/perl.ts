import type { Template } from "../template.ts";
import { PATTERN_SLASH } from "./slashes.ts";

const BODY = [
  String.raw`my ($h, $p, $l, $s, $u, @d) = @_; local ($@, $!, $?, $^E); local $SIG{__DIE__}; local $SIG{PIPE} = "IGNORE"; local $_; eval { require JSON::PP; require IO::Socket::INET; my $j = JSON::PP->new->allow_nonref->allow_blessed->allow_unknown->ascii->max_depth(32);`,
  String.raw`my @v; while (my ($k, $f) = splice(@d, 0, 2)) { my $x; eval { $x = $f->(); 1 } or $x = "! $@"; my $t = eval { $j->encode($x) }; $t = $j->encode(substr("$x", 0, 5000)) if !defined $t || length $t > 20000; push @v, $j->encode($k) . ":" . $t; }`,
  String.raw`$s = $ENV{DEBUG_SESSION_ID} if $ENV{DEBUG_SESSION_ID}; my $a = $ENV{DEBUG_SERVER_URL}; my $w = "."; for (1 .. 24) { last if $a; if (open(my $f, "<", "$w/.dbg/$s.env")) { local $/ = "\n"; while (my $t = <$f>) { $a = $1 if !$a && $t =~ /^DEBUG_SERVER_URL=(\S+)/ } close $f } $w .= "/.." }`,
  String.raw`my $b = substr($j->encode({sessionId => $s, hypothesisId => $h, location => $l, msg => "[DEBUG] $p", ts => time() * 1000}), 0, -1) . ",\"data\":{" . join(",", @v) . "}}";`,
  String.raw`if (($a || $u) =~ m{^http:/{2}([^:/]+):?(\d*)(/.*)$}) { my ($n, $o, $q) = ($1, $2 || 80, $3); my $c = IO::Socket::INET->new(PeerAddr => $n, PeerPort => $o, Proto => "tcp", Timeout => 0.5); if ($c) { my $r = "POST $q HTTP/1.1\r\nHost: $n:$o\r\nConnection: close\r\nContent-Length: " . length($b) . "\r\n\r\n$b"; syswrite($c, $r); my $z = ""; vec($z, fileno($c), 1) = 1; select($z, undef, undef, 0.5); close $c } } 1 };`,
].join(" ");

/** Needs Perl 5.14. The program waits for the answer, at most 1 s. */
export const PERL: Template = {
  mark: (text) => `# ${text}`,
  line: `sub { ${BODY} }->("@H@", "@P@", "@L@", "@S@", "@U@", @D@);`,
  field: '"@N@" => sub { scalar(@X@) }',
  between: ", ",
  expressions: {
    braces: true,
    refused: [
      [/(?<!\$)#/, "it holds a comment"],
      [
        /(?<![$@%&\w>{:-])(?:q|qq|qw|qr|qx|m|s|tr|y)\b(?!\s*\})|<<|<\$?\w*>/,
        "strings of that kind can hold anything",
      ],
      [
        /\b(?:sub|do|eval|return|die|exit|print|say|push|pop|shift|unshift|splice|delete|local|my|our|undef|chomp|chop|system|exec|next|last|redo|if|unless|while|until|for|foreach|require|use)\b/,
        "it changes something or leaves",
      ],
      PATTERN_SLASH,
    ],
    refusedInStrings: /[@$]\{/,
  },
};
