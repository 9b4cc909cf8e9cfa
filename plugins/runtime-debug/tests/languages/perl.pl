# Probes in a Perl program: HTTP/1.0 over a bare socket, without a Host line.
use strict;
use warnings;
use utf8;
use IO::Socket::INET;
use JSON::PP;

open(my $file, '<', '.dbg/login-timeout.env') or die $!;
my $env = do { local $/; <$file> };
my ($host, $port, $path) = $env =~ m{^DEBUG_SERVER_URL=http://([^:/]+):(\d+)(.+)$}m;
my ($session) = $env =~ /^DEBUG_SESSION_ID=(.+)$/m;

sub probe {
    my ($event) = @_;
    my $body = JSON::PP->new->utf8->canonical->encode($event);
    my $socket = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Timeout => 10) or die $!;
    print $socket "POST $path HTTP/1.0\r\nContent-Length: " . length($body) . "\r\n\r\n$body";
    my $status = <$socket>;
    print +(split ' ', $status)[1], "\n";
}

probe({
    sessionId => $session,
    runId => 'pre-fix',
    hypothesisId => 'B',
    location => 'login.pl:12',
    msg => '[DEBUG] login',
    data => { text => '"quoted" back\slash Ünïcödé 日本語 🐞', count => 3 },
    ts => 1766000000000,
});
probe({ msg => 'done' });
